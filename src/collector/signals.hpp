// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Lets a deadly signal wait until the trace is complete. Only signals the program left at their default are touched.

namespace gpuprof::collector {

// Called on the collector's thread.
class SignalWatch {
 public:
  // Installs handlers for SIGTERM, SIGINT and SIGHUP where their disposition is the default. The handler only notes the
  // signal; the collector's thread sees it at its next wake-up.
  void install();

  // Puts the default dispositions back, unless the program has changed them since. For a forked child, which has no
  // collector thread that would act on the signal.
  void uninstall();

  // The signal that arrived, or 0.
  int pending() const;

  // Restores the default disposition and sends the signal again: the process dies of it, as it would have.
  [[noreturn]] static void die_of(int signal);
};

}  // namespace gpuprof::collector

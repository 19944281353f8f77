// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The client's activity buffers: filled record by record, completed by a worker thread when full and by the flushing
// thread on a flush.

#include <cupti_activity.h>

#include <cstdint>

namespace fake_cupti {

void set_client(CUpti_BuffersCallbackRequestFunc request, CUpti_BuffersCallbackCompleteFunc complete);

// Puts a record into the current buffer, asking the client for one when needed. Returns false when the client gives
// none. Caller holds library_lock().
bool put(const void* record, std::size_t size);

// Completes the current buffer in this thread and waits until the worker has completed all full ones. Caller does not
// hold library_lock().
void flush_buffers();

}  // namespace fake_cupti

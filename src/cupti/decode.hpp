// SPDX-FileCopyrightText: the gpuprof authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Decodes one CUPTI activity record. Internal to src/cupti.

#include "cupti/activity.hpp"
#include "cupti/library.hpp"

namespace gpuprof::cupti {

// Feeds `record` to `sink`; records of other kinds are ignored.
void decode_record(const CUpti_Activity* record, ActivitySink& sink);

// One number for a function of the runtime or driver API.
std::uint32_t domain_function(CUpti_CallbackDomain domain, CUpti_CallbackId id);
CUpti_CallbackDomain domain_of(std::uint32_t domain_function);
CUpti_CallbackId id_of(std::uint32_t domain_function);

}  // namespace gpuprof::cupti

#pragma once

#include "app/wire/device_state.h"
#include "runtime/core/json_writer.h"

namespace et::devices {

/// What a device does beside a model, as an object of JSON (docs/json.md); what it does not tell is left out.
void writeState(core::JsonWriter& json, const wire::DeviceState& state);

}  // namespace et::devices

#pragma once

#include "app/wire/device_state.h"
#include "runtime/core/json_writer.h"

namespace et::devices {

/// Writes the state of a device apart from the model, as a JSON object (docs/reference/json.md); values that
/// it does not report are omitted.
void writeState(core::JsonWriter& json, const wire::DeviceState& state);

}  // namespace et::devices

#pragma once

#include "inspector/profiles/vendor_profile.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"

#include <string_view>

// One reader per tool. Each detects its files by their first bytes.
namespace et::inspector::profiles::detail {

/// CSV of qnn-profile-viewer and of other tools that log QNN's events: a row per event, with a time in
/// microseconds or cycles.
[[nodiscard]] bool isQnnCsv(std::string_view text);
[[nodiscard]] core::Result<VendorProfile> readQnnCsv(core::Bytes bytes);

/// JSON of `trtexec --exportProfile` (times of layers) and `--exportLayerInfo` (their properties).
[[nodiscard]] bool isTensorRtJson(std::string_view text);
[[nodiscard]] core::Result<VendorProfile> readTensorRtJson(core::Bytes bytes);

/// CSV of Vela's `--verbose-performance`: estimated cycles of layers.
[[nodiscard]] bool isVelaCsv(std::string_view text);
[[nodiscard]] core::Result<VendorProfile> readVelaCsv(core::Bytes bytes);

/// JSON of the operations of an MLComputePlan: their devices and shares of the cost.
[[nodiscard]] bool isComputePlanJson(std::string_view text);
[[nodiscard]] core::Result<VendorProfile> readComputePlanJson(core::Bytes bytes);

/// CSV of Streamline's Functions view: shares of samples.
[[nodiscard]] bool isStreamlineCsv(std::string_view text);
[[nodiscard]] core::Result<VendorProfile> readStreamlineCsv(core::Bytes bytes);

}  // namespace et::inspector::profiles::detail

#pragma once

#include "etdump/trace.h"
#include "etrecord/record.h"
#include "inspector/format/trace_clock.h"
#include "inspector/profiles/vendor_profile.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace et::inspector {

/// The model whose delegate calls the profiles describe. All may be null.
struct ProfiledModel {
    std::shared_ptr<const etdump::Trace> trace{};  ///< of a run of the model
    const program::Program* program = nullptr;
    const etrecord::Record* record = nullptr;
    TraceClock clock{};    ///< of the trace
    std::string method{};  ///< that the trace ran; empty: detected
};

struct ProfiledTrace {
    std::shared_ptr<const etdump::Trace> trace;  ///< never null
    std::vector<std::string> warnings;           ///< profiles without a delegate call, units that are unknown
    /// Made of profiles alone: the times inside delegates have the unit of the trace.
    bool isProfile = false;
};

/// Returns the trace with the operators of the profiles as events inside the delegate calls that they
/// describe: calls of the profile's backend, preferring those whose Edge nodes the operators name. Their
/// columns become delegate metadata, with the debug handles of the named nodes. Without a trace, returns one
/// of the profiles alone. `name`: that of the file. Errors: Limit.
[[nodiscard]] core::Result<ProfiledTrace> addProfiles(const ProfiledModel& model,
                                                      std::vector<VendorProfile> profiles, std::string name);

/// Reads a trace, or a profile in place of one, and adds further profiles. `model.trace` is not used. Errors:
/// those of the readers; Limit.
[[nodiscard]] core::Result<ProfiledTrace> readProfiledTrace(
    ProfiledModel model, std::shared_ptr<const core::MappedFile> file,
    std::span<const std::shared_ptr<const core::MappedFile>> profiles);

}  // namespace et::inspector

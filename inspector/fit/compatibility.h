#pragma once

#include "runtime/core/release.h"
#include "runtime/executor/backend.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Checks which releases of ExecuTorch load and run a program.
namespace et::inspector {

enum class ReleaseVerdict : std::uint8_t {
    Runs,       ///< loads, and all methods run
    RunsAdded,  ///< likewise, with operators or backends that the application adds
    RunsPart,   ///< loads, and some methods run
    Loads,      ///< loads, but no method runs
    Fails,      ///< does not load
};
[[nodiscard]] std::string_view name(ReleaseVerdict verdict);  ///< "runs": stable, used in JSON

enum class LackKind : std::uint8_t { Format, Feature, Backend, Payload, Operator };
[[nodiscard]] std::string_view name(LackKind kind);  ///< "operator": stable, used in JSON

/// Something that a program needs and a release does not contain.
struct ReleaseLack {
    LackKind kind = LackKind::Operator;
    std::string subject;                     ///< "llama::gated_delta_rule.out"
    std::optional<core::ReleaseRange> in{};  ///< releases that contain it; empty: none
    /// "load_method() fails with OperatorMissing (0x14)"; without releases, the origin of the operator or the
    /// device of the backend, empty if unknown.
    std::string effect{};
    std::set<std::string> methods{};  ///< that need it
};

struct ReleaseSupport {
    core::Release release = core::Release::V1_0;
    ReleaseVerdict verdict = ReleaseVerdict::Runs;
    std::vector<ReleaseLack> lacks{};  ///< by kind, then by subject
};

struct Compatibility {
    std::vector<ReleaseSupport> releases{};  ///< ascending, one for each release
    std::set<std::string> libraries{};       ///< names of KernelLibrary to link
    /// Operators and backends that no release contains; the application must add them. Not counted in
    /// verdicts.
    std::vector<ReleaseLack> application{};
    std::vector<std::string> notes{};
};

/// Compares a program (.pte) with all releases. `backends` describe payloads; others are compared by name
/// only.
[[nodiscard]] Compatibility checkCompatibility(const program::Program& program,
                                               std::span<const executor::Backend* const> backends);

/// The releases that run all methods: "1.3 to 1.6", "1.0, 1.2 to 1.6", "1.0 to 1.6 with additions", "none".
[[nodiscard]] std::string runningReleases(const Compatibility& compatibility);

/// The result for an ExecuTorch Native package (.ptn).
[[nodiscard]] Compatibility packageCompatibility();

}  // namespace et::inspector

#pragma once

#include "app/tasks/lab/lower_run.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// The programs of a probe set, what they test and their results: stored in the folder of the programs.
namespace et::tasks {

/// Values of a probe's inputs.
enum class ProbeFill : std::uint8_t {
    Model,  ///< those of the model
    Nan,    ///< with a NaN in each floating-point input
};

enum class ProbeVerdict : std::uint8_t {
    Pending,  ///< no result yet
    Right,
    Wrong,
};
/// "pending", "right", "wrong".
[[nodiscard]] std::string_view probeVerdictName(ProbeVerdict verdict);

/// A program of the set.
struct Probe {
    std::string name;       ///< of its file, without extension: "012_convolution_168"
    std::size_t round = 1;  ///< in which it was written
    std::size_t subject = 0;
    std::optional<std::size_t> axis{};  ///< nothing: sizes of the model
    std::int64_t size = 0;              ///< of the axis
    ProbeFill fill = ProbeFill::Model;
    bool isDelegated = false;  ///< a delegate computes some of it
    ProbeVerdict verdict = ProbeVerdict::Pending;
    std::string note{};  ///< what is wrong
};

/// A dimension whose size is changed.
struct ProbedAxis {
    std::string name;
    std::int64_t size = 1;
    bool isChannel = false;                ///< channels of an input, or a dimension of weights: scanned first
    std::set<std::int64_t> unavailable{};  ///< sizes that the operator does not support
};

/// An operator with its shapes in the model.
struct ProbedSubject {
    std::string name;
    std::string kind;
    std::string shapes;  ///< "[1, 16, 8, 8], [32, 16, 3, 3]"
    std::string dtypes;  ///< "float32"
    std::vector<std::string> nodes{};
    bool isWhole = false;  ///< a delegate call
    std::vector<ProbedAxis> axes{};
};

struct ProbeSet {
    std::string model;
    std::string record;
    std::string method;
    std::string device;  ///< backend of the delegates; empty: there are none
    LowerBackend backend = LowerBackend::None;
    std::size_t limit = 200;  ///< maximum number of probes
    std::uint64_t seed = 0;
    std::vector<std::string> inputs{};
    std::vector<std::string> only{};
    std::optional<std::size_t> delegate{};
    std::vector<ProbedSubject> subjects{};
    std::vector<Probe> probes{};

    [[nodiscard]] std::size_t count(ProbeVerdict verdict) const;
    [[nodiscard]] std::size_t rounds() const;
};

/// "probes/probes.json".
[[nodiscard]] std::filesystem::path probeSetFile(const std::filesystem::path& folder);
/// Errors: Io.
[[nodiscard]] core::Result<> saveProbeSet(const ProbeSet& set, const std::filesystem::path& folder);
/// Errors: Io, Limit (a file of more than 64 MiB), Format (names the member).
[[nodiscard]] core::Result<ProbeSet> loadProbeSet(const std::filesystem::path& folder);

}  // namespace et::tasks

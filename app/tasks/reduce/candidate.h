#pragma once

#include "app/tasks/run/element_fill.h"
#include "app/tasks/run/model_options.h"
#include "app/tasks/surgery/part_maker.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A part of a program that may fail as the whole does: made and judged in a process of its own.
namespace et::app {

/// In which way a program fails.
enum class FailureKind : std::uint8_t {
    Gap,      ///< an operator computes something else than the record's graph
    Verify,   ///< outputs are not those of the record's graph, or not those without the plugins
    Crash,    ///< the process dies, or does not end
    Nan,      ///< NaN or infinity comes out of numbers that are finite
    Slower,   ///< it takes longer than the other side (OtherSide)
    Command,  ///< a command says so
};

struct FailureTraits {
    FailureKind kind;
    std::string_view name;     ///< as --fails says it; empty: any other text is a command
    std::string_view meaning;  ///< for people
};
[[nodiscard]] const FailureTraits& traitsOf(FailureKind kind);

/// Whether a record's graph, where there is one, says what a part should give.
[[nodiscard]] constexpr bool asksGraph(FailureKind kind) {
    return kind == FailureKind::Gap || kind == FailureKind::Verify || kind == FailureKind::Command;
}

/// What --fails says. Errors: InvalidArgument (neither a known word nor a command with {}).
[[nodiscard]] core::Result<FailureKind> parseFailure(std::string_view text);

/// What a candidate is made of and where it goes.
struct CandidateSettings {
    std::filesystem::path model;
    ModelOptions options;
    FailureKind kind = FailureKind::Gap;
    std::string than{};                 ///< of FailureKind::Slower: parseOtherSide()
    PartChoice part;                    ///< no instructions: all of them
    bool addsRandom = false;            ///< to the inputs that the options say, two random sets
    std::optional<std::size_t> inputs;  ///< which of the sets; nothing: all, until one fails
    /// Of the inputs of the part instead of what they were. Where the record's graph says what a part gives,
    /// such a part is judged by itself, with its own record (also where nothing changes), and so with a fill.
    std::optional<PartSizes> sizes{};
    SizeChanges constants{};       ///< with `sizes`: dimensions of constants, by what they were
    std::optional<Fill> fill;      ///< what the floating inputs of the part are instead of what they were
    std::filesystem::path output;  ///< .bpte or .pte
};

/// Where the failure shows first, as far as the kind of failure tells.
struct FailurePlace {
    std::size_t instruction = 0;
    std::optional<std::size_t> node;  ///< of the delegate that it calls
    bool operator==(const FailurePlace&) const = default;
};

/// What became of a candidate.
struct CandidateReport {
    bool isBuilt = false;  ///< the file is there
    bool fails = false;
    std::string signature{};        ///< what has to be the same for it to be the same failure
    std::string message{};          ///< one line: what is wrong with it, or why it cannot be made
    std::string expected{}, got{};  ///< one number of it, where there is one
    std::optional<FailurePlace> place{};
    std::size_t inputs = 0;  ///< the first that fails
    PartSizes sizes{};       ///< of the inputs of the part
    std::string
        constants;  ///< with `sizes`: sizes of its constants that are above 1, as "48x8", largest first
    std::size_t nodes = 0;  ///< operators of the delegate, where the part is a call of one
};

/// Called when the file is there, before anything of it runs, with the sizes of its inputs.
using CandidateBuilt = std::function<void(const PartSizes& sizes)>;

/// Makes the part, writes it and judges it. Whatever keeps it from that is in the report.
[[nodiscard]] CandidateReport checkCandidate(const CandidateSettings& settings, const CandidateBuilt& built);

/// One line of JSON, and back. Errors: Format.
[[nodiscard]] std::string candidateJson(const CandidateReport& report);
[[nodiscard]] core::Result<CandidateReport> readCandidateJson(std::string_view text);

}  // namespace et::app

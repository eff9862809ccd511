#pragma once

#include "inspector/program_diff/program_diff.h"
#include "runtime/core/strong_id.h"

#include <optional>
#include <string>
#include <vector>

// A ProgramDiff as lines, which the formats for people draw each in its way.
namespace et::inspector {

/// One thing that changed (or not).
struct DiffLine {
    Change change = Change::Same;
    bool moved = false;
    std::string what;    ///< "aten::add.out #3", "input 0", "memory id 1"
    std::string before;  ///< empty: nothing to say, as of a step, or not there
    std::string after;
    std::vector<AttributeChange> details{};
    std::vector<DiffLine> inside{};  ///< nodes of a delegate
    /// Of the first program's first chain, that it is about; nothing: it is of no instruction of that.
    std::optional<core::InstructionId> instruction{};
};

struct DiffSection {
    std::string title;  ///< "instructions: 12 same, 1 added"
    std::vector<DiffLine> lines;
};

/// A method, or the program as a whole (without a name).
struct DiffPart {
    std::string name;
    Change change = Change::Same;
    std::vector<DiffSection> sections;  ///< none is without lines
};

/// `all`: lines of what is the same, too.
[[nodiscard]] std::vector<DiffPart> partsOf(const ProgramDiff& diff, bool all);

/// "1 method changed: 2 instructions changed, 1 added; ..." or "the same".
[[nodiscard]] std::string summaryOf(const ProgramDiff& diff);

}  // namespace et::inspector

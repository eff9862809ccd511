#pragma once

#include "inspector/program_diff/program_diff.h"
#include "runtime/core/strong_id.h"

#include <optional>
#include <string>
#include <vector>

// A ProgramDiff as lines, which the human-readable formats render.
namespace et::inspector {

/// One changed (or unchanged) item.
struct DiffLine {
    Change change = Change::Same;
    bool moved = false;
    std::string what;    ///< "aten::add.out #3", "input 0", "memory id 1"
    std::string before;  ///< empty: nothing to show, as for a step, or missing
    std::string after;
    std::vector<AttributeChange> details{};
    std::vector<DiffLine> inside{};  ///< nodes of a delegate
    /// Instruction of the first program's first chain that the line is about; nothing if there is none.
    std::optional<core::InstructionId> instruction{};
};

struct DiffSection {
    std::string title;  ///< "instructions: 12 same, 1 added"
    std::vector<DiffLine> lines;
};

/// A method, or the whole program (without a name).
struct DiffPart {
    std::string name;
    Change change = Change::Same;
    std::vector<DiffSection> sections;  ///< none is empty
};

/// `all`: include lines of unchanged items.
[[nodiscard]] std::vector<DiffPart> partsOf(const ProgramDiff& diff, bool all);

/// "1 method changed: 2 instructions changed, 1 added; ..." or "the same".
[[nodiscard]] std::string summaryOf(const ProgramDiff& diff);

}  // namespace et::inspector

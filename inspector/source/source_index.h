#pragma once

#include "etrecord/record.h"
#include "inspector/delegates/delegates.h"
#include "inspector/join/event_blocks.h"
#include "runtime/core/result.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace et::inspector {

/// A line of Python and what was made of it.
struct SourceLine {
    std::int64_t number = 0;                          ///< from 1
    std::string_view code{};                          ///< as the record has it; may be empty
    std::vector<core::DebugHandle> handles{};         ///< of the operators, sorted; none without a record
    std::vector<core::InstructionId> instructions{};  ///< where the program, not a record, has the stacks
    std::size_t operators = 0;                        ///< whose stack holds the line
    std::optional<double> time{};  ///< of those operators in one run, in the unit of the blocks
};

struct SourceFile {
    std::string_view path;
    std::vector<SourceLine> lines{};  ///< by number
    std::size_t operators = 0;        ///< whose stacks go through the file
    std::optional<double> time{};     ///< of those
    [[nodiscard]] const SourceLine* line(std::int64_t number) const;
};

/// What to make an index of. All of it is borrowed and must outlive the index.
struct SourceIndexSources {
    std::string_view method;
    const program::Method* program = nullptr;    ///< null: no program, or it has no such method
    const etrecord::Record* record = nullptr;    ///< null: none given
    const EventBlocks* blocks = nullptr;         ///< null: no trace given
    const MethodDelegates* delegates = nullptr;  ///< what is inside of delegates, reconciled; null: unknown
    bool onlyMethod = false;                     ///< the program has no other
};

/// The Python lines of a method. Time is that of the operators whose stacks hold a line, so that the line
/// that calls a module has the time of all that is in it: lines do not add up. What a delegate spends beside
/// its operators is of no line.
struct SourceIndex {
    std::string_view method;
    std::vector<SourceFile> files{};  ///< in the order of first appearance, the user's own first
    std::optional<double> total{};    ///< time of one run; nothing without a trace of the method
    std::size_t operators = 0;        ///< with a stack

    /// Errors: Limit (stacks that a damaged file repeats beyond all measure).
    [[nodiscard]] static core::Result<SourceIndex> build(const SourceIndexSources& sources);
    [[nodiscard]] const SourceFile* file(std::string_view path) const;
};

}  // namespace et::inspector

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

/// A line of Python and the operators created from it.
struct SourceLine {
    std::int64_t number = 0;                          ///< from 1
    std::string_view code{};                          ///< as in the record; may be empty
    std::vector<core::DebugHandle> handles{};         ///< of the operators, sorted; empty without a record
    std::vector<core::InstructionId> instructions{};  ///< if the stacks come from the program instead of a
                                                      ///< record
    std::size_t operators = 0;                        ///< number of operators whose stacks contain the line
    std::optional<double> time{};  ///< time of those operators in one run, in the unit of the blocks
};

struct SourceFile {
    std::string_view path;
    std::vector<SourceLine> lines{};  ///< by number
    std::size_t operators = 0;        ///< number of operators whose stacks contain the file
    std::optional<double> time{};     ///< of those
    [[nodiscard]] const SourceLine* line(std::int64_t number) const;
};

/// Inputs of the index. All are borrowed and must outlive it.
struct SourceIndexSources {
    std::string_view method;
    const program::Method* program = nullptr;    ///< null: no program, or no such method in it
    const etrecord::Record* record = nullptr;    ///< null: none given
    const EventBlocks* blocks = nullptr;         ///< null: no trace given
    const MethodDelegates* delegates = nullptr;  ///< reconciled contents of delegates; null: unknown
    bool onlyMethod = false;                     ///< whether the program has no other method
};

/// The Python lines of a method. The time of a line is that of all operators whose stacks contain it, so a
/// line that calls a module includes the time of the module, and times of lines do not add up. Time that a
/// delegate spends outside its operators is not attributed to lines.
struct SourceIndex {
    std::string_view method;
    std::vector<SourceFile> files{};  ///< in the order of first appearance, the user's own first
    std::optional<double> total{};    ///< time of one run; nothing without a trace of the method
    std::size_t operators = 0;        ///< number of operators with a stack

    /// Errors: Limit (a damaged file repeats stacks excessively).
    [[nodiscard]] static core::Result<SourceIndex> build(const SourceIndexSources& sources);
    [[nodiscard]] const SourceFile* file(std::string_view path) const;
};

}  // namespace et::inspector

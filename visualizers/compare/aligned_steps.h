#pragma once

#include "inspector/join/step_links.h"
#include "inspector/program_diff/program_diff.h"
#include "visualizers/selection.h"

#include <QString>

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::visualizers {

/// Producers and consumers in each method of one of two programs.
using LinksByMethod = std::map<std::string, inspector::StepLinks, std::less<>>;

/// A row of two graphs side by side: a step of the first, the second, or both.
struct AlignedRow {
    enum class Kind : std::uint8_t {
        Step,    ///< an instruction
        Inside,  ///< a node inside the delegate above
        Same,    ///< several equal steps, folded
        Method,  ///< a title
    };
    Kind kind = Kind::Step;
    inspector::Change change = inspector::Change::Same;
    bool moved = false;
    std::array<QString, 2> texts{};      ///< of the first and the second program; empty: missing
    QString tip{};                       ///< what changed
    std::optional<OperatorRef> first{};  ///< of the first program
};

/// Two programs as graphs side by side: rows in an order that suits both, and arrows between rows on each
/// side.
struct AlignedSteps {
    using Arrow = std::pair<std::size_t, std::size_t>;  ///< source and target row, in either direction
    std::vector<AlignedRow> rows{};
    std::array<std::vector<Arrow>, 2> arrows{};

    /// Minimum number of equal steps that are folded into one row.
    static constexpr std::size_t fewestFolded = 4;
    static constexpr std::size_t maxRows = 20'000;

    [[nodiscard]] static AlignedSteps of(const inspector::ProgramDiff& diff,
                                         const std::array<LinksByMethod, 2>& links);
    /// The next (1) or previous (-1) differing row; nothing if there is none.
    [[nodiscard]] std::optional<std::size_t> difference(std::optional<std::size_t> from, int by) const;
};

}  // namespace et::visualizers

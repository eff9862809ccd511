#pragma once

#include "inspector/format/trace_clock.h"
#include "inspector/graph/diagram.h"
#include "inspector/graph/graph_numbers.h"
#include "inspector/graph/graph_overlay.h"
#include "inspector/numeric_gap/gap_report.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace et::tasks {

/// Selects a part of a graph, as on the command line.
struct GraphSelection {
    std::vector<std::string> expand;    ///< groups by name or module; "all"
    std::vector<std::string> collapse;  ///< likewise
    std::size_t budget = inspector::DiagramOptions{}.budget;
    std::string find;                 ///< regular expression; empty: nothing
    std::vector<std::string> around;  ///< nodes by name
    std::size_t depth = inspector::DiagramOptions{}.depth;
};

/// The selection resolved for one graph.
struct Selected {
    inspector::DiagramOptions options;
    std::vector<bool> found;  ///< by node; empty: no search
};

/// Errors: NotFound (the graph has no such group or node; the message suggests a similar name),
/// InvalidArgument and Limit (an invalid expression).
[[nodiscard]] core::Result<Selected> select(const core::ModelGraph& graph, const GraphSelection& selection);

/// Selects a graph of a file.
struct GraphSource {
    std::filesystem::path file;  ///< a program, a bundled program, a package or an ETRecord
    std::filesystem::path record;
    std::filesystem::path trace;
    std::filesystem::path gap;  ///< output of `et-inspect gap --format json`
    std::vector<std::filesystem::path> tensorData;
    std::string method;  ///< empty: "forward", or the first
    std::string
        source;  ///< "program", "edge", "exported", "delegate:0", or the name of another graph of a record
    inspector::TraceClock clock{};

    [[nodiscard]] std::vector<std::filesystem::path> inputs() const;
};

struct OpenedGraph {
    core::ModelGraph graph;
    std::string method;                               ///< empty for graphs that do not belong to one
    inspector::InstructionTimes times;                ///< empty without a trace
    std::vector<inspector::MeasuredPart> measured{};  ///< likewise; in the unit of `times`
    std::optional<inspector::GapReport> gap{};        ///< of the method
    std::vector<std::string> warnings;
    std::shared_ptr<const void> keptOpen{};  ///< what the graph borrows from
};

/// Errors: those of the readers; NotFound (no such method, delegate or graph; the message lists the existing
/// ones); InvalidArgument (a source that this kind of file does not have).
[[nodiscard]] core::Result<OpenedGraph> openGraph(const GraphSource& source);

}  // namespace et::tasks

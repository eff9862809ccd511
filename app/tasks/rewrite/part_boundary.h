#pragma once

#include "app/tasks/rewrite/part_maker.h"
#include "etrecord/record.h"
#include "inspector/numeric_gap/graph_part.h"
#include "inspector/numeric_gap/graph_walk.h"
#include "inspector/numeric_gap/node_mapping.h"
#include "inspector/numeric_gap/part_reference.h"
#include "runtime/core/result.h"
#include "runtime/core/strong_id.h"

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// Maps a part of a program to the exported graph of the whole.
namespace et::tasks {

/// The whole with its Edge graph, and the Edge nodes that each operator inside its delegates computes.
class PartSource {
  public:
    /// All arguments must outlive this. Errors: those of taking delegates apart, except an unsupported
    /// backend.
    [[nodiscard]] static core::Result<PartSource> make(const PartMaker& maker,
                                                       const inspector::GraphWalk& walk,
                                                       const etrecord::MethodMaps& maps);

    [[nodiscard]] const program::Method& whole() const { return *method; }
    [[nodiscard]] const inspector::GraphWalk& walk() const { return *graph; }
    [[nodiscard]] const etrecord::MethodMaps& maps() const { return *handles; }

    /// Debug handles that the record lists for an instruction.
    [[nodiscard]] std::vector<core::DebugHandle> handlesOf(std::size_t instruction) const;
    /// Debug handles of operators inside the called delegate, including operators fused into them.
    [[nodiscard]] inspector::HandleSet handlesOf(std::size_t instruction,
                                                 std::span<const std::size_t> nodes) const;
    /// Splits the method's handles into those of the part and those of the rest.
    [[nodiscard]] inspector::GraphPartChoice handlesOf(const PartChoice& choice) const;

    /// An operator inside a delegate, identified by the value that it computes.
    struct Operator {
        std::optional<core::DebugHandle> handle;      ///< nothing: added by lowering
        std::optional<inspector::MappedValue> place;  ///< nothing: unknown
    };
    /// Null if no uniquely identified operator computes the value.
    [[nodiscard]] const Operator* operatorAt(const inspector::RuntimeValueRef& place) const;

  private:
    PartSource(const program::Method& of, const inspector::GraphWalk& walked,
               const etrecord::MethodMaps& recorded)
        : method(&of), graph(&walked), handles(&recorded) {}
    [[nodiscard]] inspector::DelegateRegion regionOf(std::size_t instruction) const;

    const program::Method* method;
    const inspector::GraphWalk* graph;
    const etrecord::MethodMaps* handles;
    std::map<std::size_t, std::vector<Operator>> operators;  ///< by instruction
};

/// The operators inside delegates that the part contains, including those taken along with the chosen ones.
/// Errors: those of backends::nodesIn().
[[nodiscard]] core::Result<NodeChoice> takenNodes(const PartMaker& maker, const PartChoice& choice);

/// Maps values at the border of the part to values of the graph.
class BoundaryValues {
  public:
    explicit BoundaryValues(const PartSource& from) : source(from) {}

    /// Nothing if the record does not determine it. `border`: values that must be in the result.
    [[nodiscard]] std::optional<std::string_view> nameOf(const inspector::RuntimeValueRef& place,
                                                         std::span<const std::string_view> border) const;

    /// Whether a layout operator added by lowering computes the value: no node of the graph does.
    [[nodiscard]] bool isTurned(const inspector::RuntimeValueRef& place) const;

  private:
    [[nodiscard]] std::optional<std::string_view> inputAt(std::size_t position) const;
    [[nodiscard]] std::optional<std::int8_t> dtypeOf(std::string_view value) const;
    [[nodiscard]] std::vector<std::string_view> resultsAt(const inspector::RuntimeValueRef& place) const;

    const PartSource& source;
};

}  // namespace et::tasks

#pragma once

#include "app/tasks/surgery/part_maker.h"
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

// What a part of a program is of in the exported graph of the whole.
namespace et::app {

/// The whole with its Edge graph, and which nodes of that each operator inside of its delegates computes.
class PartSource {
  public:
    /// All of it outlives this. Errors: those of delegates that are taken apart for other reasons than that
    /// their backend allows it.
    [[nodiscard]] static core::Result<PartSource> make(const PartMaker& maker,
                                                       const inspector::GraphWalk& walk,
                                                       const etrecord::MethodMaps& maps);

    [[nodiscard]] const program::Method& whole() const { return *method; }
    [[nodiscard]] const inspector::GraphWalk& walk() const { return *graph; }
    [[nodiscard]] const etrecord::MethodMaps& maps() const { return *handles; }

    /// That the record lists for an instruction.
    [[nodiscard]] std::vector<core::DebugHandle> handlesOf(std::size_t instruction) const;
    /// Of operators inside of the delegate that it calls, with those that are fused into them.
    [[nodiscard]] inspector::HandleSet handlesOf(std::size_t instruction,
                                                 std::span<const std::size_t> nodes) const;
    /// Which handles are of the part, and which of the rest of the method.
    [[nodiscard]] inspector::GraphPartChoice handlesOf(const PartChoice& choice) const;

    /// An operator inside of a delegate, by the value that it makes.
    struct Operator {
        std::optional<core::DebugHandle> handle;     ///< nothing: lowering added it
        std::optional<inspector::GraphPlace> place;  ///< nothing: none is known
    };
    /// Null: no operator that can be told from others makes it.
    [[nodiscard]] const Operator* operatorAt(const inspector::RuntimePlace& place) const;

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

/// The operators inside of delegates that the part has, with those that came along with the chosen ones.
/// Errors: those of backends::nodesIn().
[[nodiscard]] core::Result<NodeChoice> takenNodes(const PartMaker& maker, const PartChoice& choice);

/// Finds which values of the graph those at the border of the part are.
class BorderNames {
  public:
    explicit BorderNames(const PartSource& from) : source(from) {}

    /// Nothing where the record does not tell. `border`: values that have to be one.
    [[nodiscard]] std::optional<std::string_view> nameOf(const inspector::RuntimePlace& place,
                                                         std::span<const std::string_view> border) const;

    /// Whether a layout operator that lowering added makes it: no node of the graph does.
    [[nodiscard]] bool isTurned(const inspector::RuntimePlace& place) const;

  private:
    [[nodiscard]] std::optional<std::string_view> inputAt(std::size_t position) const;
    [[nodiscard]] std::optional<std::int8_t> dtypeOf(std::string_view value) const;
    [[nodiscard]] std::vector<std::string_view> resultsAt(const inspector::RuntimePlace& place) const;

    const PartSource& source;
};

}  // namespace et::app

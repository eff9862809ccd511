#pragma once

#include "inspector/numeric_gap/gap_calculation.h"
#include "inspector/numeric_gap/graph_walk.h"
#include "inspector/numeric_gap/reference_values.h"
#include "inspector/numeric_gap/runtime_values.h"
#include "inspector/numeric_gap/units.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

// What the exported graph says of parts of a program that run alone.
namespace et::inspector {

/// An operator that computes something else than the graph says, on what it is given.
struct PartDivergence {
    std::int32_t instruction = -1;       ///< of the whole
    std::optional<std::uint32_t> inner;  ///< the value inside of its delegate; nothing: a kernel's
    std::string op;                      ///< "native_call_convolution.out", "Conv2d"
    std::vector<std::string> nodes;      ///< of the Edge graph
    OwnError error;
};

/// A value of the runtime, and the form in which a part has it.
struct RuntimePlace {
    std::int32_t instruction = -1;       ///< that makes it
    std::optional<std::size_t> input{};  ///< nothing makes it: which input of the program it is
    std::optional<std::uint32_t> inner;  ///< by its id in the delegate
    std::size_t output = 0;              ///< of a kernel: which of its results
    bool inMemoryOrder = false;  ///< dimensions as they lie inside of a delegate, else as in the graph
    bool isSource = false;       ///< the place before is another layout of it, and nothing of the graph
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;
};

/// The graph of a record on one set of inputs, with what the whole program computed on them.
class PartReference {
  public:
    /// `sources` are of the whole; all but `runtime` outlive this. Errors: as calculateGap().
    [[nodiscard]] static core::Result<std::unique_ptr<PartReference>> make(const GapSources& sources);

    /// The first operator of a part that diverges on its own, by docs/gap.md. `part`: what the part computed,
    /// as if the whole had; empty: the whole. Errors: Cancelled, those of tensors.
    [[nodiscard]] core::Result<std::optional<PartDivergence>> firstDivergence(const RuntimeValues& part,
                                                                              double tolerance = 1);

    /// What the graph gives at `wanted` if it is given what the runtime had at `given`, and nothing else.
    /// Nothing for a value that no node of the graph makes, or that needs more. Errors: as
    /// Interpreter::evaluate().
    [[nodiscard]] core::Result<std::vector<std::optional<ReferenceTensor>>> expected(
        std::span<const RuntimePlace> given, std::span<const RuntimePlace> wanted);

    [[nodiscard]] const etrecord::ExportedGraph& graph() const { return walk->graph(); }

  private:
    explicit PartReference(const GapSources& from) : sources(from) {}
    [[nodiscard]] core::Result<> run();
    [[nodiscard]] core::Result<FoundUnits> unitsOf(const RuntimeValues& values) const;
    [[nodiscard]] core::Result<ReferenceTensor> inFormOf(const RuntimePlace& place, const GapUnit& unit,
                                                         const ReferenceTensor& value) const;

    GapSources sources;
    RuntimeValues whole;
    const etrecord::MethodMaps* maps = nullptr;
    std::unique_ptr<backends::reference::Interpreter> edge;
    std::unique_ptr<backends::reference::Interpreter>
        replaying;  ///< where a run changes what the next one gives
    std::optional<GraphWalk> walk;
    GraphValues values;
    FoundUnits known;  ///< of the whole
};

}  // namespace et::inspector

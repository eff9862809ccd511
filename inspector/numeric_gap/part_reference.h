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

// Reference values from the exported graph for parts of a program that run alone.
namespace et::inspector {

/// An operator whose result differs from the graph's for the inputs it had.
struct PartDivergence {
    std::int32_t instruction = -1;       ///< instruction of the whole program
    std::optional<std::uint32_t> inner;  ///< id of the value inside its delegate; nothing: a kernel's result
    std::string op;                      ///< "native_call_convolution.out", "Conv2d"
    std::vector<std::string> nodes;      ///< nodes of the Edge graph
    OwnError error;
};

/// A value of the runtime, and its form in a part.
struct RuntimeValueRef {
    std::int32_t instruction = -1;       ///< the instruction that computes it
    std::optional<std::size_t> input{};  ///< index of the program input, if no instruction computes it
    std::optional<std::uint32_t> inner;  ///< id inside the delegate
    std::size_t output = 0;              ///< for a kernel: index of the result
    bool inMemoryOrder = false;  ///< whether dimensions are in the delegate's memory order instead of the
                                 ///< graph's
    bool isSource = false;       ///< it is the source of a layout change whose result is the graph's value
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;
};

/// A record's graph on one input set, with the whole program's results on it.
class PartReference {
  public:
    /// `sources` describe the whole; all of them except `runtime` must outlive this. Errors: as
    /// calculateGap().
    [[nodiscard]] static core::Result<std::unique_ptr<PartReference>> make(const GapSources& sources);

    /// The first operator of a part that diverges on its own, as defined in docs/explanation/gap.md. `part`:
    /// the part's results, as if computed by the whole; empty: the whole. Errors: Cancelled, those of
    /// tensors.
    [[nodiscard]] core::Result<std::optional<PartDivergence>> firstDivergence(const RuntimeValues& part,
                                                                              double tolerance = 1);

    /// Computes the graph's values at `wanted` from only the runtime's values at `given`. Nothing for a value
    /// that no node of the graph computes, or that needs more inputs. Errors: as Interpreter::evaluate().
    [[nodiscard]] core::Result<std::vector<std::optional<ReferenceTensor>>> expected(
        std::span<const RuntimeValueRef> given, std::span<const RuntimeValueRef> wanted);

    [[nodiscard]] const etrecord::ExportedGraph& graph() const { return walk->graph(); }

  private:
    explicit PartReference(const GapSources& from) : sources(from) {}
    [[nodiscard]] core::Result<> run();
    [[nodiscard]] core::Result<FoundUnits> unitsOf(const RuntimeValues& values) const;
    [[nodiscard]] core::Result<ReferenceTensor> convertToForm(const RuntimeValueRef& place,
                                                              const GapUnit& unit,
                                                              const ReferenceTensor& value) const;

    GapSources sources;
    RuntimeValues whole;
    const etrecord::MethodMaps* maps = nullptr;
    std::unique_ptr<backends::reference::Interpreter> edge;
    std::unique_ptr<backends::reference::Interpreter>
        replaying;  ///< used if a run changes the results of the next one
    std::optional<GraphWalk> walk;
    GraphValues values;
    FoundUnits known;  ///< units of the whole
};

}  // namespace et::inspector

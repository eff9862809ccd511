#pragma once

#include "app/tasks/model/inputs.h"
#include "app/tasks/model/model.h"
#include "app/tasks/model/model_options.h"
#include "backends/reference/reference_value.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Input set of a gap calculation.
struct GapInputSet {
    std::string name;  ///< "bundled", "random:1", "extreme:zeros"
    std::vector<backends::reference::ReferenceValue> values;
    std::string cut{};  ///< changes of the sizes at export: "tokens [1, 2047] to [1, 32]"
};

/// A value of --inputs, for help.
struct GapInputChoice {
    std::string_view name;
    std::string_view meaning;
};
[[nodiscard]] std::span<const GapInputChoice> gapInputChoices();

/// Sources of input sets; all are borrowed.
struct GapInputSources {
    const etrecord::Record& record;
    std::string_view method;
    const Model* model = nullptr;  ///< null: only a trace
    const ModelOptions& options;
    bool cutsExamples = false;  ///< whether to cut the inputs of an export (shortenInputs())
};

/// Returns the default input set: that of --input, else of the bundled case, else of the record. Errors:
/// NotFound (there is none), those of the files.
[[nodiscard]] core::Result<GapInputSet> usualGapInputSet(const GapInputSources& sources);

/// Returns the input sets selected by --inputs, in order. Errors: InvalidArgument (unknown name; the message
/// lists the valid ones), those of usualGapInputSet().
[[nodiscard]] core::Result<std::vector<GapInputSet>> gapInputSets(const GapInputSources& sources,
                                                                  std::string_view asked);

/// Returns random inputs in the range of `like`: floats between its smallest and largest number, and a
/// permutation of its integers, so that indices stay valid.
[[nodiscard]] core::Result<GapInputSet> randomStimulus(const GapInputSet& like, std::uint64_t seed,
                                                       std::string name);

/// Converts the inputs of a run. Errors: Unsupported (quantized dtypes without numeric values).
[[nodiscard]] core::Result<GapInputSet> makeGapInputSet(const InputSet& inputs, std::string name);

/// Returns inputs with other sizes: `sizes` has those of each input (none for non-tensors). Tensors whose
/// sizes do not change are kept; otherwise floats are drawn from the range of `like`, and integers from its
/// elements, so that indices stay valid. Errors: Limit (more than `maxBytes` in total), Unsupported (complex
/// and quantized dtypes).
[[nodiscard]] core::Result<GapInputSet> resizedStimulus(const GapInputSet& like,
                                                        std::span<const std::vector<std::int64_t>> sizes,
                                                        std::uint64_t seed, std::uint64_t maxBytes);

/// Sets the inputs of a method. Errors: those of Method::setInput().
[[nodiscard]] core::Result<> give(const GapInputSet& inputSet, executor::Method& method);

}  // namespace et::tasks

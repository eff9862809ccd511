#pragma once

#include "app/tasks/run/inputs.h"
#include "app/tasks/run/model.h"
#include "app/tasks/run/model_options.h"
#include "backends/reference/reference_value.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// Inputs that a gap is calculated on.
struct Stimulus {
    std::string name;  ///< "bundled", "random:1", "extreme:zeros"
    std::vector<backends::reference::ReferenceValue> values;
};

/// What --inputs can say, for help.
struct StimulusChoice {
    std::string_view name;
    std::string_view meaning;
};
[[nodiscard]] std::span<const StimulusChoice> stimulusChoices();

/// Where stimuli come from; all of it is borrowed.
struct StimulusSources {
    const etrecord::Record& record;
    std::string_view method;
    const Model* model = nullptr;  ///< null: there is only a trace
    const ModelOptions& options;
};

/// What the run is about where --inputs does not say: those of --input, else of the bundled case, else what
/// the record holds. Errors: NotFound (there are none), those of the files.
[[nodiscard]] core::Result<Stimulus> usualStimulus(const StimulusSources& sources);

/// What --inputs asks for: its values, in order. Errors: InvalidArgument (an unknown one: says which there
/// are), those of usualStimulus().
[[nodiscard]] core::Result<std::vector<Stimulus>> stimuli(const StimulusSources& sources,
                                                          std::string_view asked);

/// Random inputs with the range of `like`: floats from its smallest to its largest number, and its whole
/// numbers in another order, so that indices stay what indices may be.
[[nodiscard]] core::Result<Stimulus> randomStimulus(const Stimulus& like, std::uint64_t seed,
                                                    std::string name);

/// The inputs of a run as a stimulus. Errors: Unsupported (quantized dtypes without numbers of their own).
[[nodiscard]] core::Result<Stimulus> stimulusOf(const InputSet& inputs, std::string name);

/// Inputs of other sizes: `sizes` has those of each input (none for what is no tensor). A tensor whose sizes
/// are the same stays; floats are drawn from the range of `like`, whole numbers from its elements, so that
/// indices stay what indices may be. Errors: Limit (more than `maxBytes` together), Unsupported (complex and
/// quantized dtypes).
[[nodiscard]] core::Result<Stimulus> resizedStimulus(const Stimulus& like,
                                                     std::span<const std::vector<std::int64_t>> sizes,
                                                     std::uint64_t seed, std::uint64_t maxBytes);

/// Gives the values to the method. Errors: as Method::setInput().
[[nodiscard]] core::Result<> give(const Stimulus& stimulus, executor::Method& method);

}  // namespace et::app

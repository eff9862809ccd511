#pragma once

#include "app/tasks/lab/calibration_cases.h"
#include "app/tasks/lab/closeness.h"
#include "backends/reference/interpreter.h"
#include "backends/xnnpack/quantize/channel_pairs.h"
#include "backends/xnnpack/quantize/prepared_model.h"
#include "runtime/core/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// What makes quantizing cost less without training.
enum class Remedy : std::uint8_t {
    Equalize,   ///< factors move between the channels of a product and the next one
    Observers,  ///< each scale gets the observer that serves the outputs best
    Bias        ///< the mean error of each channel goes into the bias
};
/// In the order in which they are applied.
inline constexpr std::array allRemedies{Remedy::Equalize, Remedy::Observers, Remedy::Bias};
/// "equalize", "observers", "bias".
[[nodiscard]] std::string_view remedyName(Remedy remedy);

/// Two products with nothing but relu, pooling or the like between them.
struct EqualizedPair {
    std::string maker;                         ///< exported operator
    std::string module;                        ///< whose parameters are divided; empty: the root
    std::vector<std::string> readers{};        ///< sites
    std::vector<std::string> readerModules{};  ///< of each
    std::vector<float> factors{};              ///< that its channels were divided by
    bool applied = false;
    std::string clamp{};  ///< exported operator between them that forbids factors; empty: there is none
    std::string rule{};   ///< why not; empty: it was applied
};

/// An observer that is not the one that all scales began with.
struct ChosenObserver {
    std::vector<std::string> values;  ///< of the Edge graph
    backends::xnnpack::ObserverKind kind{};
};

/// A bias that was changed.
struct CorrectedBias {
    std::string site;
    bool isNew = false;            ///< it had none
    std::vector<double> shifts{};  ///< that were taken off, one a channel
};

/// What the remedies did.
struct RemedyReport {
    std::vector<EqualizedPair> pairs;
    std::vector<ChosenObserver> observers;
    std::vector<CorrectedBias> biases;
    std::size_t scales = 0;      ///< of all values
    std::size_t corrigible = 0;  ///< sites with a bias, or that could have one
    Closeness before{};          ///< of the calibration cases' outputs
    Closeness after{};
};

/// A model that is statically quantized, and what remedies make of it. A remedy is kept as far as the outputs
/// of the calibration cases come nearer to those of the float model. Not for several threads at a time.
class RemediedModel {
  public:
    using Annotation = backends::xnnpack::Annotation;
    using Numbers = std::vector<backends::xnnpack::QuantizationNumbers>;
    using Choices = std::vector<backends::xnnpack::SiteChoice>;

    /// Calibrates the model, which has to live as long, as what `options` and `given` refer to. Errors: as
    /// PreparedModel::calibrate().
    [[nodiscard]] static core::Result<std::unique_ptr<RemediedModel>> open(
        backends::xnnpack::PreparedModel& model, Choices choices, std::span<const CalibrationCase> given,
        backends::xnnpack::ObserverKind observer, const backends::reference::InterpreterOptions& options);

    /// Once each, in the order of allRemedies. Errors: as Interpreter::run(); Cancelled.
    [[nodiscard]] core::Result<> apply(Remedy remedy);

    /// The model as it is now: sites and operators have kept their places.
    [[nodiscard]] backends::xnnpack::PreparedModel& model() { return *now.model; }
    [[nodiscard]] const Annotation& annotation() const { return now.annotation; }
    [[nodiscard]] const Numbers& numbers() const { return now.numbers; }
    /// The observer of a scale.
    [[nodiscard]] const backends::xnnpack::RangeObserver& observer(std::size_t scale) const;
    [[nodiscard]] const RemedyReport& report() const { return done; }
    /// The record with quantizers. Errors: as PreparedModel::quantized().
    [[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> record();

  private:
    using Changes = std::vector<backends::xnnpack::ConstantChange>;

    RemediedModel(backends::xnnpack::PreparedModel& model, Choices of, std::span<const CalibrationCase> given,
                  backends::xnnpack::ObserverKind observer,
                  const backends::reference::InterpreterOptions& with)
        : now{.model = &model}, choices(std::move(of)), cases(given), first(observer), options(with) {}

    core::Result<> calibrate();
    [[nodiscard]] core::Result<std::shared_ptr<const etrecord::Record>> recordWith(const Numbers& numbers,
                                                                                   const Changes& changes);
    [[nodiscard]] core::Result<Closeness> closenessWith(const Numbers& numbers);
    core::Result<> equalize();
    core::Result<> tryPair(const backends::xnnpack::ChannelPair& pair, EqualizedPair& into);
    core::Result<> chooseObservers();
    core::Result<> chooseObserver(std::size_t scale);
    core::Result<> correctBiases();
    [[nodiscard]] core::Result<std::vector<float>> channelRanges(const backends::xnnpack::ChannelPair& pair);
    void replace(std::unique_ptr<backends::xnnpack::PreparedModel> by);
    [[nodiscard]] bool isBetter(const Closeness& closeness, double by) const;

    /// What a remedy changes.
    struct State {
        backends::xnnpack::PreparedModel* model = nullptr;
        Annotation annotation{};
        Numbers numbers{};
        std::map<backends::xnnpack::ObserverKind, backends::xnnpack::Observations> observations{};
        std::vector<backends::xnnpack::ObserverKind> kinds{};  ///< of each scale
    };

    State now;
    std::vector<std::unique_ptr<backends::xnnpack::PreparedModel>> made;  ///< observations borrow their names
    Choices choices;
    std::span<const CalibrationCase> cases;
    backends::xnnpack::ObserverKind first;
    const backends::reference::InterpreterOptions& options;
    std::vector<CaseOutputs> floatOutputs;
    RemedyReport done;
};

}  // namespace et::app

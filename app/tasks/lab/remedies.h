#pragma once

#include "app/tasks/lab/calibration_cases.h"
#include "app/tasks/lab/output_error.h"
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

namespace et::tasks {

/// Methods to reduce the quantization error without training.
enum class Remedy : std::uint8_t {
    Equalize,   ///< moves factors between the channels of a product and the next one
    Observers,  ///< chooses the observer of each scale by the error of the outputs
    Bias        ///< moves the mean error of each channel to the bias
};
/// In the order of application.
inline constexpr std::array allRemedies{Remedy::Equalize, Remedy::Observers, Remedy::Bias};
/// "equalize", "observers", "bias".
[[nodiscard]] std::string_view remedyName(Remedy remedy);

/// Two products with only relu, pooling or similar operators between them.
struct EqualizedPair {
    std::string maker;                         ///< exported operator
    std::string module;                        ///< module whose parameters are divided; empty: the root
    std::vector<std::string> readers{};        ///< sites
    std::vector<std::string> readerModules{};  ///< of each
    std::vector<float> factors{};              ///< divisors of its channels
    bool applied = false;
    std::string clamp{};  ///< exported operator between them that does not permit factors; empty: none
    std::string rule{};   ///< why it was not applied; empty if it was
};

/// An observer other than the initial one.
struct ChosenObserver {
    std::vector<std::string> values;  ///< in the Edge graph
    backends::xnnpack::ObserverKind kind{};
};

/// A corrected bias.
struct CorrectedBias {
    std::string site;
    bool isNew = false;            ///< the site had no bias
    std::vector<double> shifts{};  ///< subtracted values, one per channel
};

/// Changes made by the remedies.
struct RemedyReport {
    std::vector<EqualizedPair> pairs;
    std::vector<ChosenObserver> observers;
    std::vector<CorrectedBias> biases;
    std::size_t scales = 0;      ///< of all values
    std::size_t corrigible = 0;  ///< number of sites that have, or could have, a bias
    OutputError before{};        ///< of the outputs on the calibration cases
    OutputError after{};
};

/// A statically quantized model to which remedies are applied. The changes of a remedy are kept as far as
/// they improve the outputs of the calibration cases relative to the float model. Not thread-safe.
class RemediedModel {
  public:
    using Annotation = backends::xnnpack::Annotation;
    using Numbers = std::vector<backends::xnnpack::QuantizationNumbers>;
    using Choices = std::vector<backends::xnnpack::SiteChoice>;

    /// Calibrates the model, which must outlive this object, like the targets of `options` and `given`.
    /// Errors: those of PreparedModel::calibrate().
    [[nodiscard]] static core::Result<std::unique_ptr<RemediedModel>> open(
        backends::xnnpack::PreparedModel& model, Choices choices, std::span<const CalibrationCase> given,
        backends::xnnpack::ObserverKind observer, const backends::reference::InterpreterOptions& options);

    /// Call at most once per remedy, in the order of allRemedies. Errors: those of Interpreter::run();
    /// Cancelled.
    [[nodiscard]] core::Result<> apply(Remedy remedy);

    /// The current model: indices of sites and operators have not changed.
    [[nodiscard]] backends::xnnpack::PreparedModel& model() { return *now.model; }
    [[nodiscard]] const Annotation& annotation() const { return now.annotation; }
    [[nodiscard]] const Numbers& numbers() const { return now.numbers; }
    /// The observer of a scale.
    [[nodiscard]] const backends::xnnpack::RangeObserver& observer(std::size_t scale) const;
    [[nodiscard]] const RemedyReport& report() const { return done; }
    /// Returns the record with quantizers. Errors: those of PreparedModel::quantized().
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
    [[nodiscard]] core::Result<OutputError> closenessWith(const Numbers& numbers);
    core::Result<> equalize();
    core::Result<> tryPair(const backends::xnnpack::ChannelPair& pair, EqualizedPair& into);
    core::Result<> chooseObservers();
    core::Result<> chooseObserver(std::size_t scale);
    core::Result<> correctBiases();
    [[nodiscard]] core::Result<std::vector<float>> channelRanges(const backends::xnnpack::ChannelPair& pair);
    void replace(std::unique_ptr<backends::xnnpack::PreparedModel> by);
    [[nodiscard]] bool isBetter(const OutputError& closeness, double by) const;

    /// State changed by a remedy.
    struct State {
        backends::xnnpack::PreparedModel* model = nullptr;
        Annotation annotation{};
        Numbers numbers{};
        std::map<backends::xnnpack::ObserverKind, backends::xnnpack::Observations> observations{};
        std::vector<backends::xnnpack::ObserverKind> kinds{};  ///< by scale
    };

    State now;
    std::vector<std::unique_ptr<backends::xnnpack::PreparedModel>> made;  ///< kept because observations
                                                                          ///< borrow their names
    Choices choices;
    std::span<const CalibrationCase> cases;
    backends::xnnpack::ObserverKind first;
    const backends::reference::InterpreterOptions& options;
    std::vector<CaseOutputs> floatOutputs;
    RemedyReport done;
};

}  // namespace et::tasks

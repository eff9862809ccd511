#include "app/tasks/generate/language_checks.h"
#include "app/tasks/tensors/open_catalog.h"
#include "inspector/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

namespace et::tasks {
namespace {

using inspector::CatalogTensor;

/// A weight whose wrong scale makes it several times too large or too small deviates from its siblings more
/// than training causes.
constexpr double farFromAll = 3;
constexpr double farFromSiblings = 3;
/// If siblings differ more than this from each other, they are no reference for another weight.
constexpr double siblingSpread = 1.5;
constexpr std::size_t leastSiblings = 3;
/// Larger tensors are skipped; they would take minutes.
constexpr std::uint64_t mostBytes = std::uint64_t{64} << 20;

/// A quantized weight matrix of a layer.
struct LayerWeight {
    const CatalogTensor* tensor;
    double size;  ///< root mean square of the dequantized values
};

double rootMeanSquare(const inspector::HostTensor& tensor) {
    const std::size_t count = tensor.data.size() / sizeof(float);
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        float number = 0;
        std::memcpy(&number, tensor.data.data() + (i * sizeof(float)), sizeof(float));
        sum += double{number} * number;
    }
    return count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
}

/// True for "qbint4 [64, 64]", but not for the matrix that produces the logits.
bool isLayerMatrix(const CatalogTensor& tensor, std::size_t vocabulary) {
    const bool isQuantized = tensor.origin == inspector::TensorOrigin::DelegateWeight &&
                             tensor.type.starts_with('q') && tensor.bytes <= mostBytes;
    return isQuantized && std::ranges::count(tensor.type, ',') == 1 &&
           !tensor.type.contains(fmt::format("[{},", vocabulary));
}

std::vector<LayerWeight> layerWeights(const LanguageModel& language,
                                      const inspector::TensorCatalog& catalog) {
    std::vector<LayerWeight> weights;
    const std::vector<CatalogTensor>& tensors = catalog.tensors();
    const std::string_view method = language.form.decode.method->name;
    for (std::size_t at = 0; at < tensors.size(); ++at) {
        const bool isOfMethod = tensors[at].method.empty() || tensors[at].method == method;
        if (!isOfMethod || !isLayerMatrix(tensors[at], language.form.vocabulary)) {
            continue;
        }
        if (const auto read = catalog.read(at, inspector::TensorForm::Real);
            read && read->dtype == core::ScalarType::Float) {
            weights.push_back({.tensor = &tensors[at], .size = rootMeanSquare(*read)});
        }
    }
    return weights;
}

/// Number of weights per layer; 0 if they do not repeat from layer to layer.
std::size_t findPeriod(const std::vector<LayerWeight>& weights, std::size_t layers) {
    if (layers < 2 || weights.empty() || weights.size() % layers != 0) {
        return 0;
    }
    const std::size_t period = weights.size() / layers;
    for (std::size_t at = period; at < weights.size(); ++at) {
        if (weights[at].tensor->type != weights[at - period].tensor->type) {
            return 0;
        }
    }
    return period;
}

/// Minimum and maximum of the weights that `counts` accepts.
template <class Counts>
std::pair<double, double> rangeOf(const std::vector<LayerWeight>& weights, Counts counts) {
    std::pair<double, double> range{std::numeric_limits<double>::infinity(), 0};
    for (std::size_t at = 0; at < weights.size(); ++at) {
        if (counts(at)) {
            range = {std::min(range.first, weights[at].size), std::max(range.second, weights[at].size)};
        }
    }
    return range;
}

bool isOutside(double size, const std::pair<double, double>& range, double factor) {
    return size > factor * range.second || size * factor < range.first;
}

/// Whether a weight is an outlier among all weights, or among the same weights of other layers.
bool isOutlier(const std::vector<LayerWeight>& weights, std::size_t at, std::size_t period) {
    const auto all = rangeOf(weights, [at](std::size_t other) { return other != at; });
    const auto siblings =
        rangeOf(weights, [=](std::size_t other) { return other != at && other % period == at % period; });
    const bool agree =
        (weights.size() / period) > leastSiblings && siblings.second <= siblingSpread * siblings.first;
    return isOutside(weights[at].size, all, farFromAll) ||
           (agree && isOutside(weights[at].size, siblings, farFromSiblings));
}

}  // namespace

std::vector<LanguageCheck> checkWeights(const LanguageModel& language) {
    auto session = std::make_shared<inspector::Session>();
    session->program = language.model->program;
    const auto catalog = catalogOf(session);
    const std::vector<LayerWeight> weights = layerWeights(language, *catalog);
    const std::size_t period = findPeriod(
        weights, static_cast<std::size_t>(std::max<std::int64_t>(language.metadata.layers.value_or(0), 0)));
    if (period == 0) {
        return {{.name = "weights",
                 .verdict = CheckVerdict::Skipped,
                 .message = "no quantized weights that repeat from layer to layer"}};
    }
    std::vector<LanguageCheck> checks;
    for (std::size_t at = 0; at < weights.size(); ++at) {
        if (!isOutlier(weights, at, period)) {
            continue;
        }
        const auto all = rangeOf(weights, [at](std::size_t other) { return other != at; });
        checks.push_back({.name = "weights",
                          .verdict = CheckVerdict::Fail,
                          .message = fmt::format("a weight has a root mean square of {:.3g}, others have "
                                                 "{:.3g} to {:.3g}: its scale may be wrong",
                                                 weights[at].size, all.first, all.second),
                          .layer = at / period,
                          .place = fmt::format("{}, {}", weights[at].tensor->place, weights[at].tensor->type),
                          .measured = weights[at].size});
    }
    if (checks.empty()) {
        checks.push_back({.name = "weights",
                          .message = fmt::format("no outlier among {} quantized weights", weights.size())});
    }
    return checks;
}

}  // namespace et::tasks

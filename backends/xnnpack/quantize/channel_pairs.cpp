#include "backends/xnnpack/quantize/channel_pairs.h"

#include "backends/lowering/node_arguments.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

namespace et::backends::xnnpack {
namespace {

using etrecord::Node;
using lowering::EdgeMethod;

/// Elementwise operators with f(2x) = 2 f(x).
constexpr std::array<std::string_view, 4> channelwise{"aten.relu.default", "aten.relu_.default",
                                                      "aten.dropout.default", "aten.clone.default"};
/// Operators on each channel of an image with the same property.
constexpr std::array<std::string_view, 3> pooling{"aten.max_pool2d.default", "aten.avg_pool2d.default",
                                                  "aten.adaptive_avg_pool2d.default"};
/// Operators that keep the order of elements, provided that dropped dimensions have one element.
constexpr std::array<std::string_view, 7> reshapingTargets{
    "aten.view.default", "aten.view_copy.default", "aten.reshape.default",  "aten.flatten.using_ints",
    "aten.squeeze.dim",  "aten.squeeze.dims",      "aten.squeeze_copy.dims"};
constexpr std::array<std::string_view, 5> clamping{"aten.hardtanh.default", "aten.hardtanh_.default",
                                                   "aten.relu6.default", "aten.clamp.default",
                                                   "aten.clamp_.default"};

bool isProduct(const QuantizationSite& site) {
    return site.hasWeight() && site.rule.empty() && site.kind != SiteKind::TransposedConvolution;
}

/// Number of channels of a value; nothing if it has none.
std::optional<std::size_t> channelsOf(const EdgeMethod& method, std::string_view value, bool images) {
    const auto* meta = method.meta(value);
    if (meta == nullptr || meta->sizes.size() < 2) {
        return std::nullopt;
    }
    const auto& size = images ? meta->sizes[1] : meta->sizes.back();
    return static_cast<std::size_t>(size.value);
}

/// Whether a mean is only over height and width.
bool averagesImages(const EdgeMethod& method, const Node& node, std::string_view value) {
    const auto dims = lowering::integersArgument(node, "dim");
    const auto* meta = method.meta(value);
    const auto rank = meta == nullptr ? 0 : static_cast<std::int64_t>(meta->sizes.size());
    return dims && rank == 4 &&
           std::ranges::all_of(*dims, [&](std::int64_t dim) { return (dim < 0 ? dim + rank : dim) >= 2; });
}

class PairFinder {
  public:
    PairFinder(const EdgeMethod& ofMethod, const ExportedOperators& ofOperators,
               const std::vector<QuantizationSite>& ofSites)
        : method(ofMethod), operators(ofOperators), sites(ofSites) {}

    std::optional<ChannelPair> pairOf(std::size_t op) {
        ChannelPair pair{.maker = op, .weight = makerWeight(op)};
        const std::string_view output = operators[op].output;
        if (pair.weight.empty() || output.empty()) {
            return std::nullopt;
        }
        const auto site = std::ranges::find(sites, op, &QuantizationSite::op);
        pair.images = site != sites.end() && site->kind == SiteKind::Convolution;
        const auto channels = channelsOf(method, output, pair.images);
        const auto* weight = method.meta(pair.weight);
        if (!channels || weight == nullptr || weight->sizes.empty() ||
            std::cmp_not_equal(weight->sizes[0].value, *channels)) {
            return std::nullopt;
        }
        pair.channels = *channels;
        return follow(output, pair) && !pair.readers.empty() ? std::optional(std::move(pair)) : std::nullopt;
    }

  private:
    std::string_view makerWeight(std::size_t op) const {
        for (const QuantizationSite& site : sites) {
            if (site.op == op && isProduct(site)) {
                return takesBias(method, operators[op]) ? site.weight : std::string_view();
            }
        }
        const Node& node = method.node(operators[op].nodes.front());
        if (node.op != "aten.native_layer_norm.default") {
            return {};
        }
        const auto normal = lowering::integersArgument(node, "normalized_shape");
        const std::string_view weight = lowering::valueName(lowering::findArgument(node, "weight"));
        return normal && normal->size() == 1 && method.isConstant(weight) ? weight : std::string_view();
    }

    /// Whether all readers of a value are products or lead to products; a clamp is accepted with a rule.
    bool follow(std::string_view value, ChannelPair& pair) {
        if (value.empty() || method.isOutput(value) ||
            channelsOf(method, value, pair.images) != pair.channels) {
            return false;
        }
        pair.values.push_back(value);
        const auto readers = operators.readers(value);
        return !readers.empty() && std::ranges::all_of(readers, [&](std::size_t reader) {
            const auto site = std::ranges::find(sites, reader, &QuantizationSite::op);
            if (site != sites.end() && isProduct(*site)) {
                pair.readers.push_back(static_cast<std::size_t>(site - sites.begin()));
                return readsChannels(*site, value, pair);
            }
            const std::string_view target = operators[reader].target;
            if (std::ranges::contains(clamping, target) && pair.rule.empty()) {
                pair.clamp = operators[reader].name;
                pair.rule = "a clamp between them has a bound that is the same for all channels";
            }
            const bool passes = !pair.rule.empty() || passesChannels(reader, value, pair.images);
            return passes && follow(operators[reader].output, pair);
        });
    }

    bool readsChannels(const QuantizationSite& site, std::string_view value, const ChannelPair& pair) const {
        const auto* weight = method.meta(site.weight);
        if (site.operands.size() != 1 || site.operands.front() != value || weight == nullptr ||
            weight->sizes.size() < 2 || method.users(site.weight).size() != 1) {
            return false;
        }
        const auto rows = static_cast<std::size_t>(weight->sizes[1].value);
        const std::size_t rank = method.meta(value)->sizes.size();
        if (site.kind == SiteKind::Convolution) {
            return pair.images && rank > 2 && rows > 0 && pair.channels % rows == 0;
        }
        return (!pair.images || rank == 2) && rows == pair.channels;
    }

    bool passesChannels(std::size_t op, std::string_view value, bool images) const {
        const ExportedOperator& reader = operators[op];
        if (std::ranges::contains(channelwise, reader.target)) {
            return true;
        }
        const bool mean = reader.target == "aten.mean.dim" &&
                          averagesImages(method, method.node(reader.nodes.front()), value);
        return images &&
               (mean || std::ranges::contains(pooling, reader.target) ||
                (std::ranges::contains(reshapingTargets, reader.target) && keepsChannels(op, value)));
    }

    /// For a change of shape: whether all dimensions except batch and channels have one element, before and
    /// after.
    bool keepsChannels(std::size_t op, std::string_view value) const {
        const auto isFlat = [&](std::string_view each) {
            const auto* meta = method.meta(each);
            std::size_t large = 0;
            for (std::size_t i = 1; meta != nullptr && i < meta->sizes.size(); ++i) {
                large += meta->sizes[i].value != 1 ? 1 : 0;
            }
            return meta != nullptr && large <= 1;
        };
        return isFlat(value) && isFlat(operators[op].output);
    }

    const EdgeMethod& method;
    const ExportedOperators& operators;
    const std::vector<QuantizationSite>& sites;
};

std::span<const float> floatsIn(const core::Tensor& tensor) {
    return {tensor.data<float>(), static_cast<std::size_t>(tensor.numel())};
}

/// Maps an element of a reader's weight to the channel it multiplies.
class ReadChannel {
  public:
    ReadChannel(const core::Tensor& weight, std::size_t channels)
        : rows(static_cast<std::size_t>(weight.size(0))), width(static_cast<std::size_t>(weight.size(1))) {
        for (std::size_t i = 2; i < weight.dim(); ++i) {
            inner *= static_cast<std::size_t>(weight.size(i));
        }
        groups = channels / width;
    }
    [[nodiscard]] std::size_t rowOf(std::size_t element) const { return element / (inner * width); }
    [[nodiscard]] std::size_t operator[](std::size_t element) const {
        const std::size_t group = rowOf(element) * groups / rows;
        return group * width + element / inner % width;
    }
    /// Whether each result reads a single channel.
    [[nodiscard]] bool isSingle() const { return width == 1; }

  private:
    std::size_t rows;
    std::size_t width;
    std::size_t inner = 1;
    std::size_t groups = 1;
};

/// A constant for further changes, including the changes so far.
core::Result<ConstantChange*> changing(EdgeMethod& method, std::size_t op, std::string_view value,
                                       std::vector<ConstantChange>& changes) {
    const auto known = std::ranges::find(changes, value, &ConstantChange::value);
    if (known != changes.end()) {
        return &*known;
    }
    ET_ASSIGN(auto tensor, method.tensor(value));
    changes.push_back({.op = op, .value = std::string(value), .tensor = std::move(tensor)});
    return &changes.back();
}

/// Multiplies each element of a change by `factor` of its index.
template <class Factor>
void multiply(ConstantChange& change, const Factor& factor) {
    const auto old = floatsIn(change.tensor.view);
    std::vector<float> numbers(old.begin(), old.end());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        numbers[i] *= factor(i);
    }
    const auto sizes = change.tensor.view.sizes();
    change.tensor = tensorOf(core::ScalarType::Float, std::vector<std::int64_t>(sizes.begin(), sizes.end()),
                             std::as_bytes(std::span(numbers)));
}

/// For each channel, the maximum ratio of its weights to the largest weight in their row.
std::vector<float> weightShares(const core::Tensor& weight, std::size_t channels) {
    const ReadChannel channelOf(weight, channels);
    const auto numbers = floatsIn(weight);
    std::vector<float> widest(static_cast<std::size_t>(weight.size(0)));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        float& row = widest[channelOf.rowOf(i)];
        row = std::max(row, std::abs(numbers[i]));
    }
    std::vector<float> shares(channels);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const float row = widest[channelOf.rowOf(i)];
        float& share = shares[channelOf[i]];
        share = row > 0 ? std::max(share, std::abs(numbers[i]) / row) : share;
    }
    return shares;
}

}  // namespace

std::vector<ChannelPair> findChannelPairs(const EdgeMethod& method, const ExportedOperators& operators,
                                          const std::vector<QuantizationSite>& sites) {
    std::vector<ChannelPair> pairs;
    PairFinder finder(method, operators, sites);
    for (std::size_t i = 0; i < operators.all().size(); ++i) {
        if (auto pair = finder.pairOf(i)) {
            pairs.push_back(*std::move(pair));
        }
    }
    return pairs;
}

core::Result<std::vector<float>> equalizingFactors(EdgeMethod& method,
                                                   const std::vector<QuantizationSite>& sites,
                                                   const ChannelPair& pair, std::span<const float> ranges) {
    std::vector<float> shares(pair.channels);
    bool single = true;
    for (const std::size_t reader : pair.readers) {
        ET_ASSIGN(const auto weight, method.tensor(sites[reader].weight));
        const auto own = weightShares(weight.view, pair.channels);
        std::ranges::transform(shares, own, shares.begin(), [](float a, float b) { return std::max(a, b); });
        single = single && ReadChannel(weight.view, pair.channels).isSingle();
    }
    std::vector<float> factors(pair.channels, 1);
    float widest = 0;
    float widestAfter = 0;
    for (std::size_t i = 0; i < std::min(pair.channels, ranges.size()); ++i) {
        const bool counts = ranges[i] > 0 && shares[i] > 0;
        factors[i] = !counts ? 1 : single ? ranges[i] : std::sqrt(ranges[i] / shares[i]);
        widest = std::max(widest, counts ? ranges[i] : 0);
        widestAfter = std::max(widestAfter, counts ? ranges[i] / factors[i] : 0);
    }
    for (std::size_t i = 0; i < std::min(pair.channels, ranges.size()) && widest > 0; ++i) {
        factors[i] = ranges[i] > 0 && shares[i] > 0 ? factors[i] * widestAfter / widest : 1;
    }
    return factors;
}

core::Result<> moveFactors(EdgeMethod& method, const ExportedOperators& operators,
                           const std::vector<QuantizationSite>& sites, const ChannelPair& pair,
                           std::span<const float> factors, std::vector<ConstantChange>& changes) {
    ET_ASSIGN(ConstantChange * weight, changing(method, pair.maker, pair.weight, changes));
    const std::size_t rowSize = floatsIn(weight->tensor.view).size() / pair.channels;
    multiply(*weight, [&](std::size_t i) { return 1 / factors[i / rowSize]; });
    std::string_view bias = biasOf(method, operators[pair.maker]);
    if (const Node& node = method.node(operators[pair.maker].nodes.front());
        bias.empty() && node.op == "aten.native_layer_norm.default") {
        bias = lowering::valueName(lowering::findArgument(node, "bias"));
    }
    if (!bias.empty()) {
        ET_ASSIGN(ConstantChange * shift, changing(method, pair.maker, bias, changes));
        multiply(*shift, [&](std::size_t i) { return 1 / factors[i]; });
    }
    for (const std::size_t reader : pair.readers) {
        ET_ASSIGN(ConstantChange * read, changing(method, sites[reader].op, sites[reader].weight, changes));
        const ReadChannel channelOf(read->tensor.view, pair.channels);
        multiply(*read, [&](std::size_t i) { return factors[channelOf[i]]; });
    }
    return {};
}

}  // namespace et::backends::xnnpack

#include "backends/xnnpack/quantize/sites.h"

#include "backends/lowering/node_arguments.h"
#include "backends/lowering/tensor_specs.h"
#include "backends/reference/node_values.h"
#include "backends/xnnpack/quantize/lifted_numbers.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace et::backends::xnnpack {
namespace {

using lowering::EdgeMethod;
using lowering::NodeIndex;

struct KindRow {
    std::string_view target;
    SiteKind kind;
};
/// Operators of exported programs; those of Edge graphs are for records without history.
constexpr std::array kindRows{
    KindRow{"aten.conv1d.default", SiteKind::Convolution},
    KindRow{"aten.conv1d.padding", SiteKind::Convolution},
    KindRow{"aten.conv2d.default", SiteKind::Convolution},
    KindRow{"aten.conv2d.padding", SiteKind::Convolution},
    KindRow{"aten.convolution.default", SiteKind::Convolution},
    KindRow{"aten.conv_transpose1d.default", SiteKind::TransposedConvolution},
    KindRow{"aten.conv_transpose2d.input", SiteKind::TransposedConvolution},
    KindRow{"aten.linear.default", SiteKind::Linear},
    KindRow{"aten.add.Tensor", SiteKind::Add},
    KindRow{"aten.add_.Tensor", SiteKind::Add},
    KindRow{"aten.mul.Tensor", SiteKind::Multiply},
    KindRow{"aten.mul_.Tensor", SiteKind::Multiply},
    KindRow{"aten.cat.default", SiteKind::Concatenate},
    KindRow{"aten.adaptive_avg_pool2d.default", SiteKind::AveragePool},
};

constexpr std::array<std::string_view, 22> sharing{"aten.relu.default",
                                                   "aten.relu_.default",
                                                   "aten.hardtanh.default",
                                                   "aten.hardtanh_.default",
                                                   "aten.max_pool2d.default",
                                                   "aten.mean.default",
                                                   "aten.mean.dim",
                                                   "aten.permute.default",
                                                   "aten.permute_copy.default",
                                                   "aten.squeeze.dim",
                                                   "aten.squeeze.dims",
                                                   "aten.squeeze_copy.dim",
                                                   "aten.squeeze_copy.dims",
                                                   "aten.view.default",
                                                   "aten.view_copy.default",
                                                   "aten.reshape.default",
                                                   "aten.slice.Tensor",
                                                   "aten.slice_copy.Tensor",
                                                   "aten.flatten.using_ints",
                                                   "aten.transpose.int",
                                                   "aten.transpose_copy.int",
                                                   "aten.adaptive_avg_pool2d.default"};

bool isRelu(const ExportedOperator& op) {
    return op.target == "aten.relu.default" || op.target == "aten.relu_.default";
}

/// Larger numbers do not fit observers' histograms.
constexpr float largestNumber = 3.4028235e15F;

/// Numbers of in-place operators are not lifted (`x += 2`), only others (`x + 2`).
bool writesInPlace(const ExportedOperator& op) {
    return op.target.contains("_.");
}

bool isProduct(SiteKind kind) {
    return kind == SiteKind::Convolution || kind == SiteKind::TransposedConvolution ||
           kind == SiteKind::Linear;
}

class SiteFinder {
  public:
    SiteFinder(EdgeMethod& ofMethod, const ExportedOperators& ofOperators)
        : method(ofMethod), operators(ofOperators) {}

    std::optional<QuantizationSite> siteOf(std::size_t index) {
        const ExportedOperator& op = operators[index];
        const auto row = std::ranges::find(kindRows, op.target, &KindRow::target);
        if (row == kindRows.end()) {
            return std::nullopt;
        }
        QuantizationSite site{.kind = row->kind, .op = index, .output = op.output};
        if (op.target == "aten.convolution.default" &&
            lowering::booleanArgument(method.node(op.nodes.front()), "transposed", false)) {
            site.kind = SiteKind::TransposedConvolution;
        }
        readOperands(op, site);
        findRelu(site);
        if (site.rule.empty()) {
            site.rule = ruleOf(op, site);
        }
        return site;
    }

  private:
    /// Finds the operator's operands: the weight of a product, otherwise float tensors.
    void readOperands(const ExportedOperator& op, QuantizationSite& site) {
        std::vector<std::string_view> read;
        for (const NodeIndex node : op.nodes) {
            for (const etrecord::Argument& argument : method.node(node).inputs) {
                reference::forNames(argument, [&](const std::string& name) {
                    const auto maker = operators.producer(name);
                    const bool number = writesInPlace(op) && isPythonNumber(method, name);
                    if (!name.empty() && maker != site.op && !number && !std::ranges::contains(read, name)) {
                        read.push_back(name);
                    }
                });
            }
        }
        if (!isProduct(site.kind)) {
            site.operands = std::move(read);
            return;
        }
        for (const std::string_view value : read) {
            const auto* meta = method.meta(value);
            if (meta == nullptr) {
                continue;  // a size, read by views around a matrix product
            }
            const bool constant = method.isConstant(value);
            if (constant && meta->sizes.size() >= 2 && site.weight.empty()) {
                site.weight = value;
            } else if (!constant || meta->sizes.size() != 1) {
                site.operands.push_back(value);
            }
        }
    }

    void findRelu(QuantizationSite& site) {
        const bool alone = site.kind == SiteKind::Concatenate || site.kind == SiteKind::AveragePool;
        const auto readers = operators.readers(site.output);
        if (alone || site.output.empty() || method.isOutput(site.output) || readers.size() != 1 ||
            !isRelu(operators[readers.front()])) {
            return;
        }
        site.relu = readers.front();
        site.output = operators[*site.relu].output;
    }

    /// Whether a constant is a single number too large for observers. Returns false if its elements are
    /// missing.
    bool isTooLarge(std::string_view value) {
        if (!method.isConstant(value)) {
            return false;
        }
        const auto tensor = method.tensor(value);
        return tensor && tensor->view.numel() == 1 && std::abs(*tensor->view.data<float>()) > largestNumber;
    }

    [[nodiscard]] std::string ruleOf(const ExportedOperator& op, const QuantizationSite& site) {
        const bool product = isProduct(site.kind);
        if (product && site.weight.empty()) {
            return "its weight is not a constant of the record";
        }
        if (site.operands.empty() || site.output.empty()) {
            return "it does not have exactly one input and one output";
        }
        if (product && site.operands.size() != 1) {
            return fmt::format("it reads {} tensors besides its weight and bias", site.operands.size());
        }
        for (const std::string_view value : site.operands) {
            if (!lowering::isFloat(method.graph(), value)) {
                return fmt::format("its operand {} is not float32", core::printable(value));
            }
            const bool number = site.kind == SiteKind::Add || site.kind == SiteKind::Multiply;
            if (number && isTooLarge(value)) {
                return fmt::format("its value {} is too large for a histogram", core::printable(value));
            }
        }
        if (product && method.meta(site.operands.front())->sizes.empty()) {
            return "its operand has no dimensions";
        }
        if (product && !lowering::isFloat(method.graph(), site.weight)) {
            return "its weight is not float32";
        }
        const bool grouped =
            lowering::integerArgument(method.node(op.nodes.front()), "groups").value_or(1) != 1;
        if (site.kind == SiteKind::TransposedConvolution && grouped) {
            return "a grouped transposed convolution has no scale per channel";
        }
        return {};
    }

    EdgeMethod& method;
    const ExportedOperators& operators;
};

/// The quantizer annotates a weight once, so convolutions that share a weight with an earlier one stay in
/// float: those without a relu come first, each in graph order. (For linear layers it only checks those
/// followed by a relu, and then skips only the relu.)
void refuseSharedWeights(std::vector<QuantizationSite>& sites, const ExportedOperators& operators) {
    std::map<std::string_view, std::string_view> taken;  // weight -> the site that owns it
    for (QuantizationSite& site : sites) {
        if (site.kind == SiteKind::Linear && site.relu && site.rule.empty() &&
            !taken.try_emplace(site.weight, operators[site.op].name).second) {
            site.relu.reset();
            site.output = operators[site.op].output;
        }
    }
    for (const bool relu : {false, true}) {
        for (QuantizationSite& site : sites) {
            const bool convolution = site.hasWeight() && site.kind != SiteKind::Linear;
            if (!convolution || site.relu.has_value() != relu || !site.rule.empty()) {
                continue;
            }
            const auto [by, first] = taken.try_emplace(site.weight, operators[site.op].name);
            if (!first) {
                site.rule = fmt::format("the exporter quantizes a shared weight only once, for {}",
                                        core::printable(by->second));
            }
        }
    }
}

}  // namespace

std::string_view siteKindName(SiteKind kind) {
    switch (kind) {
        case SiteKind::Convolution:
            return "conv";
        case SiteKind::TransposedConvolution:
            return "conv_transpose";
        case SiteKind::Linear:
            return "linear";
        case SiteKind::Add:
            return "add";
        case SiteKind::Multiply:
            return "mul";
        case SiteKind::Concatenate:
            return "cat";
        case SiteKind::AveragePool:
            return "adaptive_avg_pool2d";
    }
    return {};
}

std::vector<QuantizationSite> findSites(EdgeMethod& method, const ExportedOperators& operators) {
    std::vector<QuantizationSite> sites;
    SiteFinder finder(method, operators);
    for (std::size_t i = 0; i < operators.all().size(); ++i) {
        if (auto site = finder.siteOf(i)) {
            sites.push_back(*std::move(site));
        }
    }
    refuseSharedWeights(sites, operators);
    return sites;
}

std::vector<std::pair<std::size_t, std::size_t>> neighbouringSites(
    const EdgeMethod& method, const ExportedOperators& operators,
    const std::vector<QuantizationSite>& sites) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t reader = 0; reader < sites.size(); ++reader) {
        for (std::string_view value : sites[reader].operands) {
            auto maker = std::ranges::find(sites, value, &QuantizationSite::output);
            while (maker == sites.end()) {
                const auto op = operators.producer(value);
                const etrecord::Node* first = op ? &method.node(operators[*op].nodes.front()) : nullptr;
                if (first == nullptr || !sharesScale(operators[*op]) || first->inputs.empty()) {
                    break;
                }
                const std::string_view before = lowering::valueName(&first->inputs.front());
                if (before.empty() || operators.producer(before) == op) {
                    break;
                }
                value = before;
                maker = std::ranges::find(sites, value, &QuantizationSite::output);
            }
            const auto place = static_cast<std::size_t>(maker - sites.begin());
            const std::pair pair(place, reader);
            if (maker != sites.end() && place != reader && !std::ranges::contains(pairs, pair)) {
                pairs.push_back(pair);
            }
        }
    }
    return pairs;
}

bool sharesScale(const ExportedOperator& op) {
    return std::ranges::contains(sharing, op.target);
}

}  // namespace et::backends::xnnpack

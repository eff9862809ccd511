#include "backends/xnnpack/quantize/scheme.h"

#include "backends/lowering/computed_constants.h"
#include "backends/xnnpack/lower/operator_arguments.h"
#include "backends/xnnpack/lower/operator_rows.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace et::backends::xnnpack {

std::string schemeName(const QuantizationScheme& scheme) {
    switch (scheme.kind) {
        case SchemeKind::Static8:
            return "w8a8-static";
        case SchemeKind::Dynamic8:
            return "w8a8-dynamic";
        case SchemeKind::Weights8:
            return "w8";
        case SchemeKind::Half:
            return "fp16";
        case SchemeKind::Dynamic4:
            break;
    }
    return fmt::format("w4a8-dynamic:{}", scheme.block);
}

core::Result<QuantizationScheme> parseScheme(std::string_view text) {
    struct Named {
        std::string_view name;
        SchemeKind kind;
    };
    constexpr std::array kinds{Named{"w8a8-static", SchemeKind::Static8},
                               Named{"w8a8-dynamic", SchemeKind::Dynamic8}, Named{"w8", SchemeKind::Weights8},
                               Named{"w4a8-dynamic", SchemeKind::Dynamic4}, Named{"fp16", SchemeKind::Half}};
    constexpr std::int64_t libraryBlock = 32;  // XNNPACK's block sizes are multiples of it
    const std::string_view name = text.substr(0, text.find(':'));
    const auto* const kind = std::ranges::find(kinds, name, &Named::name);
    const bool hasBlock = name.size() != text.size();
    QuantizationScheme scheme;
    if (kind != kinds.end()) {
        scheme.kind = kind->kind;
        const char* const end = text.data() + text.size();
        const char* const first = text.data() + std::min(name.size() + 1, text.size());
        const bool number = hasBlock && scheme.kind == SchemeKind::Dynamic4 &&
                            std::from_chars(first, end, scheme.block) == std::from_chars_result{end, {}};
        if (!hasBlock || (number && scheme.block > 0 && scheme.block % libraryBlock == 0)) {
            return scheme;
        }
    }
    return core::fail(core::ErrorCode::InvalidArgument,
                      fmt::format("expected w8a8-static, w8a8-dynamic, w8, fp16 or w4a8-dynamic:BLOCK with a "
                                  "multiple of {}, got \"{}\"",
                                  libraryBlock, core::printable(text)));
}

namespace {

/// Returns the node that computes a site's product, or null.
const etrecord::Node* productNode(const lowering::EdgeMethod& method, const ExportedOperators& operators,
                                  const QuantizationSite& site) {
    for (const lowering::NodeIndex index : operators[site.op].nodes) {
        const OperatorRow* row = operatorRow(method.node(index).op);
        if (row != nullptr && row->integers == Integers::Product) {
            return &method.node(index);
        }
    }
    return nullptr;
}

/// Why XNNPACK does not compute a site's product.
std::string productRule(lowering::EdgeMethod& method, const ExportedOperators& operators,
                        const QuantizationSite& site) {
    const etrecord::Node* const node = productNode(method, operators, site);
    if (node == nullptr || productOperands(method, *node).columns) {
        return "XNNPACK has no such product";
    }
    const Constants constants(method, kernels::builtin());
    const lowering::NodeFilter all = [](lowering::NodeIndex) { return true; };
    const std::vector<bool> taken(method.graph().nodes.size(), true);
    const std::string rule =
        whyNot({.method = method, .constants = constants, .taken = taken, .mayTake = all, .node = *node});
    return rule.empty() ? rule : fmt::format("XNNPACK does not compute it: {}", rule);
}

/// Whether a value is equal in every run.
bool isComputedOnce(lowering::EdgeMethod& method, std::string_view value) {
    const auto producer = method.producer(value);
    return producer ? lowering::ComputedConstants(method, kernels::builtin()).isComputable(*producer)
                    : method.isConstant(value);
}

}  // namespace

std::string_view productInput(const lowering::EdgeMethod& method, const ExportedOperators& operators,
                              const QuantizationSite& site) {
    const etrecord::Node* const node = productNode(method, operators, site);
    const std::string_view input =
        node == nullptr ? std::string_view() : productOperands(method, *node).input;
    return input.empty() ? site.operands.front() : input;
}

std::string schemeRule(lowering::EdgeMethod& method, const ExportedOperators& operators,
                       const QuantizationSite& site, const QuantizationScheme& scheme) {
    if (scheme.kind == SchemeKind::Static8 || scheme.kind == SchemeKind::Half) {
        return {};
    }
    if (!site.hasWeight()) {
        return "the scheme quantizes only operators with a weight";
    }
    const auto* meta = method.meta(site.weight);
    const std::size_t rank = meta == nullptr ? 0 : meta->sizes.size();
    const bool product = site.kind == SiteKind::Linear && rank == 2;
    if (scheme.isDynamic() && isComputedOnce(method, productInput(method, operators, site))) {
        return "its operand is a constant";
    }
    if (scheme.kind == SchemeKind::Dynamic4) {
        if (!product) {
            return "the scheme quantizes only matrix products";
        }
        const std::int64_t row = meta->sizes[1].value;
        return row % scheme.block == 0
                   ? productRule(method, operators, site)
                   : fmt::format("its weight rows have {} elements, not a multiple of the block size {}", row,
                                 scheme.block);
    }
    if (scheme.kind == SchemeKind::Dynamic8 && !product) {
        const bool image = site.kind == SiteKind::Convolution && rank == 4;
        const bool depthwise = image && meta->sizes[1].value == 1;
        return image && !depthwise ? std::string()
                                   : "the scheme quantizes only matrix products, and 2D convolutions that "
                                     "read several channels";
    }
    return {};
}

}  // namespace et::backends::xnnpack

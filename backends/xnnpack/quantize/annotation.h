#pragma once

#include "backends/xnnpack/quantize/scheme.h"
#include "backends/xnnpack/quantize/sites.h"

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// What of a site is quantized.
struct SiteChoice {
    bool weight = false;
    bool activations = false;
};

/// A value that is quantized, and dequantized again for whoever reads it.
struct QuantizedValue {
    std::string_view value;
    bool everyReader = false;            ///< also the caller
    std::vector<std::size_t> readers{};  ///< else these operators
    std::size_t scale = 0;               ///< index in Annotation::scales
};

/// Where numbers become integers. Values borrow the graph.
struct Annotation {
    std::vector<QuantizedValue> values;                 ///< in graph order
    std::vector<std::vector<std::string_view>> scales;  ///< values that share one, each in graph order
    QuantizationScheme scheme;
    std::vector<std::size_t> weights;  ///< sites whose weight is quantized
};

/// As XNNPACKQuantizer annotates: operands and results of the sites; what shares its operand's scale is
/// quantized behind a quantized result; a value has one scale for all. `choices`: one a site; sites with a
/// rule stay in float whatever they say.
[[nodiscard]] Annotation annotate(const lowering::EdgeMethod& method, const ExportedOperators& operators,
                                  std::span<const QuantizationSite> sites,
                                  std::span<const SiteChoice> choices);
/// The same with another scheme: weights of the chosen sites, and in each run their operands where it says
/// so. Sites that schemeRule() refuses are not to be chosen.
[[nodiscard]] Annotation annotateWeights(std::span<const QuantizationSite> sites,
                                         std::span<const SiteChoice> choices,
                                         const QuantizationScheme& scheme);

}  // namespace et::backends::xnnpack

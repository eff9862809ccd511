#pragma once

#include "backends/xnnpack/quantize/scheme.h"
#include "backends/xnnpack/quantize/sites.h"

#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// What of a site is quantized, and how. Neither: it stays in float.
struct SiteChoice {
    bool weight = false;
    bool activations = false;  ///< counts with Static8: other schemes say what becomes of them
    QuantizationScheme scheme{};
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
    std::vector<QuantizedValue> values;                  ///< in graph order
    std::vector<std::vector<std::string_view>> scales;   ///< values that share one, each in graph order
    std::vector<std::size_t> weights;                    ///< sites whose weight is quantized
    std::map<std::size_t, QuantizationScheme> others{};  ///< schemes of those that are not Static8
    std::vector<std::size_t> halves{};                   ///< sites that compute in half precision
    bool halfElsewhere = false;  ///< what is no site does as well; else only what lies between such sites

    [[nodiscard]] QuantizationScheme schemeOf(std::size_t site) const;
};

/// As XNNPACKQuantizer annotates, a scheme for each site. With Static8, operands and results of the sites;
/// what shares its operand's scale is quantized behind a quantized result; a value has one scale for all.
/// With other schemes, weights, and in each run operands where the scheme says so. `choices`: one a site;
/// sites with a rule stay in float whatever they say. Schemes that schemeRule() refuses are not to be chosen.
[[nodiscard]] Annotation annotate(const lowering::EdgeMethod& method, const ExportedOperators& operators,
                                  std::span<const QuantizationSite> sites,
                                  std::span<const SiteChoice> choices);

}  // namespace et::backends::xnnpack

#pragma once

#include "backends/xnnpack/quantize/scheme.h"
#include "backends/xnnpack/quantize/sites.h"

#include <cstddef>
#include <map>
#include <span>
#include <string_view>
#include <vector>

namespace et::backends::xnnpack {

/// Quantized parts of a site. Neither: it stays in float.
struct SiteChoice {
    bool weight = false;
    bool activations = false;  ///< only used with Static8: other schemes determine it themselves
    QuantizationScheme scheme{};
};

/// A quantized value, dequantized again for its readers.
struct QuantizedValue {
    std::string_view value;
    bool everyReader = false;            ///< for all readers, including the caller
    std::vector<std::size_t> readers{};  ///< otherwise only for these operators
    std::size_t scale = 0;               ///< index into Annotation::scales
};

/// Quantized values of a graph. Values borrow the graph.
struct Annotation {
    std::vector<QuantizedValue> values;                  ///< in graph order
    std::vector<std::vector<std::string_view>> scales;   ///< values that share a scale, each list in graph
                                                         ///< order
    std::vector<std::size_t> weights;                    ///< sites with quantized weights
    std::map<std::size_t, QuantizationScheme> others{};  ///< schemes of sites other than Static8
    std::vector<std::size_t> halves{};                   ///< sites computed in half precision
    bool halfInDelegate = false;  ///< other nodes are computed in half precision too; otherwise only those
                                  ///< between such sites

    [[nodiscard]] QuantizationScheme schemeOf(std::size_t site) const;
};

/// Annotates like XNNPACKQuantizer, with a scheme for each site. With Static8, operands and results of the
/// sites are quantized; operators that share their operand's scale are quantized after a quantized result; a
/// value has one scale for all readers. With other schemes, weights are quantized, and operands in each run
/// if the scheme specifies it. `choices`: one per site; sites with a rule always stay in float. Schemes
/// rejected by schemeRule() must not be chosen.
[[nodiscard]] Annotation annotate(const lowering::EdgeMethod& method, const ExportedOperators& operators,
                                  std::span<const QuantizationSite> sites,
                                  std::span<const SiteChoice> choices);

}  // namespace et::backends::xnnpack

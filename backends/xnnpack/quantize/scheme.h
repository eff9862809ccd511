#pragma once

#include "backends/xnnpack/quantize/sites.h"
#include "runtime/core/result.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace et::backends::xnnpack {

enum class SchemeKind : std::uint8_t {
    Static8,   ///< weights and activations int8, with scales from calibration
    Dynamic8,  ///< weights int8, operands of products int8 with a scale computed in each run
    Weights8,  ///< weights int8
    Half,      ///< float16 instead of float32 for everything that XNNPACK computes
    Dynamic4   ///< 4-bit weights with a scale per block, operands int8 with a scale per row, computed in each
               ///< run
};

/// Quantization scheme of a model.
struct QuantizationScheme {
    SchemeKind kind = SchemeKind::Static8;
    std::int64_t block = 32;  ///< for Dynamic4: elements of a weight's row that share a scale

    auto operator<=>(const QuantizationScheme&) const = default;

    [[nodiscard]] bool needsCalibration() const { return kind == SchemeKind::Static8; }
    [[nodiscard]] bool isDynamic() const {
        return kind == SchemeKind::Dynamic8 || kind == SchemeKind::Dynamic4;
    }
};

/// "w8a8-static", "w4a8-dynamic:32", …: the values of `et-inspect quantize --scheme`.
[[nodiscard]] std::string schemeName(const QuantizationScheme& scheme);
/// Parses such a name; the block may be omitted. Errors: InvalidArgument (lists the schemes).
[[nodiscard]] core::Result<QuantizationScheme> parseScheme(std::string_view text);

/// Why a quantizable site does not support a scheme; empty: it does. Dynamic schemes are those of
/// XNNPACKQuantizer (matrix products, image convolutions except depthwise ones) and of torchao's
/// Int8DynamicActivationIntxWeightConfig (matrix products that XNNPACK computes: its operators have no
/// kernels).
[[nodiscard]] std::string schemeRule(lowering::EdgeMethod& method, const ExportedOperators& operators,
                                     const QuantizationSite& site, const QuantizationScheme& scheme);

/// The operand of the node that computes a site's product, after views of the site's operand; the site's
/// operand if no node is such a product.
[[nodiscard]] std::string_view productInput(const lowering::EdgeMethod& method,
                                            const ExportedOperators& operators, const QuantizationSite& site);

}  // namespace et::backends::xnnpack

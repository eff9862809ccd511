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
    Dynamic8,  ///< weights int8, operands of products int8 with a scale that is found in each run
    Weights8,  ///< weights int8
    Half,      ///< float16 in place of float32, whatever XNNPACK computes
    Dynamic4  ///< weights of 4 bits with a scale a block, operands int8 with a scale a row, found in each run
};

/// How a model is quantized.
struct QuantizationScheme {
    SchemeKind kind = SchemeKind::Static8;
    std::int64_t block = 32;  ///< of Dynamic4: elements of a row of a weight that share a scale

    auto operator<=>(const QuantizationScheme&) const = default;

    [[nodiscard]] bool needsCalibration() const { return kind == SchemeKind::Static8; }
    [[nodiscard]] bool isDynamic() const {
        return kind == SchemeKind::Dynamic8 || kind == SchemeKind::Dynamic4;
    }
};

/// "w8a8-static", "w4a8-dynamic:32", …: as `et-inspect quantize --scheme` takes it.
[[nodiscard]] std::string schemeName(const QuantizationScheme& scheme);
/// The scheme of such a name; a block may be left out. Errors: InvalidArgument (says what there is).
[[nodiscard]] core::Result<QuantizationScheme> parseScheme(std::string_view text);

/// Why a site that can be quantized cannot with a scheme; empty: it can. Dynamic schemes are those of
/// XNNPACKQuantizer (products of matrices, convolutions of images but those of single channels) and of
/// torchao's Int8DynamicActivationIntxWeightConfig (products of matrices).
[[nodiscard]] std::string schemeRule(const lowering::EdgeMethod& method, const QuantizationSite& site,
                                     const QuantizationScheme& scheme);

}  // namespace et::backends::xnnpack

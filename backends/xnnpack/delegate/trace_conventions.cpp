#include "backends/xnnpack/delegate/trace_conventions.h"

#include <array>
#include <string_view>

namespace et::backends::xnnpack {
namespace {

using executor::OperatorFamily;
using std::string_view;

constexpr std::array productTypes = std::to_array<string_view>(
    {"Convolution", "Deconvolution", "Fully Connected", "Dynamic Fully Connected", "Batch Matrix Multiply"});
constexpr std::array sumTypes = std::to_array<string_view>({"Add"});
constexpr std::array sumNodes = std::to_array<string_view>({"add"});
constexpr std::array differenceTypes = std::to_array<string_view>({"Subtract"});
constexpr std::array differenceNodes = std::to_array<string_view>({"sub", "rsub"});
constexpr std::array multiplyTypes = std::to_array<string_view>({"Multiply", "Square"});
constexpr std::array multiplyNodes = std::to_array<string_view>({"mul", "square", "pow"});
constexpr std::array softmaxTypes = std::to_array<string_view>({"Softmax"});
constexpr std::array softmaxNodes = std::to_array<string_view>({"_softmax", "softmax"});
constexpr std::array sigmoidTypes = std::to_array<string_view>({"Sigmoid"});
constexpr std::array sigmoidNodes = std::to_array<string_view>({"sigmoid"});
constexpr std::array tanhTypes = std::to_array<string_view>({"TanH", "Tanh"});
constexpr std::array tanhNodes = std::to_array<string_view>({"tanh"});
constexpr std::array rsqrtTypes = std::to_array<string_view>({"Reciprocal Square Root"});
constexpr std::array rsqrtNodes = std::to_array<string_view>({"rsqrt"});
constexpr std::array geluTypes = std::to_array<string_view>({"GELU"});
constexpr std::array geluNodes = std::to_array<string_view>({"gelu"});
constexpr std::array meanTypes = std::to_array<string_view>({"Mean", "Global Average Pooling"});
constexpr std::array meanNodes = std::to_array<string_view>({"mean"});

constexpr std::array families = std::to_array<OperatorFamily>({
    {.what = "convolutions and matrix products", .operators = productTypes, .products = true},
    {.what = "sums", .operators = sumTypes, .nodes = sumNodes},
    {.what = "differences", .operators = differenceTypes, .nodes = differenceNodes},
    {.what = "multiplications", .operators = multiplyTypes, .nodes = multiplyNodes},
    {.what = "softmaxes", .operators = softmaxTypes, .nodes = softmaxNodes},
    {.what = "sigmoids", .operators = sigmoidTypes, .nodes = sigmoidNodes},
    {.what = "hyperbolic tangents", .operators = tanhTypes, .nodes = tanhNodes},
    {.what = "reciprocal square roots", .operators = rsqrtTypes, .nodes = rsqrtNodes},
    {.what = "GELUs", .operators = geluTypes, .nodes = geluNodes},
    {.what = "means", .operators = meanTypes, .nodes = meanNodes},
});

constexpr std::array uncounted =
    std::to_array<string_view>({"Transpose", "Copy", "Convert", "Static Reshape", "Slice", "Clamp"});
constexpr std::array composites = std::to_array<string_view>(
    {"scaled_dot_product_attention", "hardswish", "hardsigmoid", "native_layer_norm"});
constexpr std::array layouts =
    std::to_array<string_view>({"Transpose", "Copy", "Convert", "Constant Pad", "Static Reshape", "Slice"});
constexpr std::array conversions = std::to_array<string_view>({"XNNConvert", "Convert"});

bool isOperator(string_view name) {
    const std::size_t number = name.rfind(" #");
    return number != string_view::npos && name.substr(0, number).contains(" (");
}

string_view typeOf(string_view name) {
    return name.substr(0, name.find(" ("));
}

/// True for "Convolution (NHWC, QC8) IGEMM #1": one of its datatypes is quantized.
bool isQuantized(string_view name) {
    const std::size_t open = name.find('(');
    const string_view types = name.substr(0, name.find(')'));
    return open < types.size() && types.substr(open).contains(", Q");
}

constexpr executor::TraceConventions traits{.isOperator = isOperator,
                                            .typeOf = typeOf,
                                            .isQuantized = isQuantized,
                                            .families = families,
                                            .uncounted = uncounted,
                                            .composites = composites,
                                            .layouts = layouts,
                                            .conversions = conversions};

}  // namespace

const executor::TraceConventions& traceConventions() {
    return traits;
}

}  // namespace et::backends::xnnpack

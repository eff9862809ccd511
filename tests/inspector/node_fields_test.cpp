// Tests which nodes determine their common module.
#include "inspector/join/module_nodes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace et::inspector {
namespace {

/// Returns a node in this module; empty: the model itself; "none": without modules.
etrecord::Node node(const std::string& op, const std::string& module) {
    etrecord::Node made;
    made.op = op;
    if (module == "none") {
        return made;
    }
    made.moduleStack.push_back({.path = "L__self__", .fqn = {}, .type = {}});
    if (!module.empty()) {
        made.moduleStack.push_back({.path = module, .fqn = module, .type = {}});
    }
    return made;
}

std::string moduleOf(const std::vector<etrecord::Node>& nodes) {
    std::vector<const etrecord::Node*> pointers;
    pointers.reserve(nodes.size());
    for (const etrecord::Node& each : nodes) {
        pointers.push_back(&each);
    }
    const format::Cell cell = commonModule(pointers);
    const auto* text = std::get_if<std::string>(&cell);
    return text == nullptr ? "none" : *text;
}

const std::string quantize = "quantized_decomposed.quantize_per_tensor.default";
const std::string dequantize = "quantized_decomposed.dequantize_per_channel.default";
const std::string convolution = "aten.convolution.default";

TEST(CommonModule, OfComputingNodesDespiteQuantizationInTheRoot) {
    EXPECT_EQ(moduleOf({node(dequantize, ""), node(convolution, "features.0"), node(quantize, "")}),
              "features.0");
    EXPECT_EQ(moduleOf({node(quantize, "features.1"), node(convolution, "features.0")}), "features.0");
    EXPECT_EQ(moduleOf({node("torchao.choose_qparams_affine.default", ""), node(convolution, "head")}),
              "head");
}

TEST(CommonModule, OfQuantizationWithoutOtherNodes) {
    EXPECT_EQ(moduleOf({node(quantize, "features.1"), node(dequantize, "features.1")}), "features.1");
    EXPECT_EQ(moduleOf({node(quantize, "features.1"), node(convolution, "none")}), "features.1");
    EXPECT_EQ(moduleOf({node(quantize, "")}), "");
    EXPECT_EQ(moduleOf({node(convolution, "none")}), "none");
}

TEST(CommonModule, OfOperatorsInDifferentModulesIsTheRoot) {
    EXPECT_EQ(moduleOf({node(convolution, "features.0"), node("aten.relu.default", "act")}), "");
    EXPECT_EQ(moduleOf({node(convolution, "features.0"), node("aten.add.Tensor", "")}), "");
}

}  // namespace
}  // namespace et::inspector

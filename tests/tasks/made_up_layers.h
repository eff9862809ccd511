#pragma once

#include "app/tasks/lab/calibration_cases.h"
#include "backends/xnnpack/quantize/model_draft.h"
#include "tests/backends/reference/graph_builder.h"

#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace et::test {

/// A float record of a sequence of linear and other layers.
class MadeUpLayers {
  public:
    explicit MadeUpLayers(std::int64_t width)
        : base(GraphBuilder().input("x", {1, width}).record()),
          method(backends::lowering::EdgeMethod::open(*base, "forward").value()),
          draft(backends::xnnpack::ModelDraft::open(method).value()) {}

    /// `weight`: rows with as many elements as the previous layer has outputs; no bias if `bias` is empty.
    MadeUpLayers& linear(std::vector<float> weight, std::vector<float> bias = {}) {
        const std::string name = "linear_" + std::to_string(count++);
        const auto in = draft.graph.tensors.at(last).sizes.back().value;
        const auto out = static_cast<std::int64_t>(weight.size()) / in;
        const std::string weightName = draft.addTensor("parameter", "p_" + name + "_weight", name + ".weight",
                                                       tensor(weight, {out, in}));
        std::vector inputs{tensorArgument("input", last), tensorArgument("weight", weightName)};
        if (!bias.empty()) {
            inputs.push_back(tensorArgument("bias", draft.addTensor("parameter", "p_" + name + "_bias",
                                                                    name + ".bias", tensor(bias, {out}))));
        }
        return node(name, "aten.linear.default", std::move(inputs), out);
    }
    MadeUpLayers& relu() { return elementwise("aten.relu.default", {}); }
    MadeUpLayers& hardtanh() {
        return elementwise("aten.hardtanh.default",
                           {floatArgument("min_val", 0), floatArgument("max_val", 6)});
    }
    MadeUpLayers& multiply(double by) { return elementwise("aten.mul.Scalar", {floatArgument("other", by)}); }

    [[nodiscard]] std::shared_ptr<const etrecord::Record> record() {
        draft.graph.outputs = {tensorArgument({}, last)};
        draft.graph.outputSpecs = {{.kind = "user_output", .value = last, .target = {}}};
        return draft.record(*base, "forward").value();
    }

    static backends::reference::ReferenceTensor tensor(const std::vector<float>& numbers,
                                                       const std::vector<std::int64_t>& sizes) {
        return backends::xnnpack::tensorOf(core::ScalarType::Float, sizes, std::as_bytes(std::span(numbers)));
    }

    /// Returns `calls` cases with normally distributed numbers.
    static std::vector<tasks::CalibrationCase> cases(std::int64_t width, int calls, float mean = 0) {
        std::mt19937 random(7);
        std::normal_distribution<float> normal(mean, 1);
        std::vector<tasks::CalibrationCase> made;
        for (int i = 0; i < calls; ++i) {
            std::vector<float> numbers(static_cast<std::size_t>(width));
            for (float& number : numbers) {
                number = normal(random);
            }
            made.push_back({backends::reference::ReferenceValue{tensor(numbers, {1, width})}});
        }
        return made;
    }

  private:
    MadeUpLayers& elementwise(const std::string& op, std::vector<etrecord::Argument> more) {
        const std::string name = op.substr(5, op.find('.', 5) - 5) + "_" + std::to_string(count++);
        std::vector inputs{tensorArgument("self", last)};
        inputs.insert(inputs.end(), more.begin(), more.end());
        return node(name, op, std::move(inputs), draft.graph.tensors.at(last).sizes.back().value);
    }

    MadeUpLayers& node(const std::string& name, const std::string& op, std::vector<etrecord::Argument> inputs,
                       std::int64_t width) {
        const std::vector<std::int64_t> sizes{1, width};
        last = draft.addSizedValue(name, sizes, core::ScalarType::Float);
        draft.graph.nodes.push_back({.name = name,
                                     .target = "executorch.exir.dialects.edge.ops." + op,
                                     .op = op,
                                     .inputs = std::move(inputs),
                                     .outputs = {tensorArgument({}, last)},
                                     .stackTrace = {},
                                     .moduleStack = {},
                                     .debugHandles = {draft.newHandle()},
                                     .metadata = {}});
        return *this;
    }

    std::shared_ptr<const etrecord::Record> base;
    backends::lowering::EdgeMethod method;
    backends::xnnpack::ModelDraft draft;
    std::string last = "x";
    std::size_t count = 0;
};

}  // namespace et::test

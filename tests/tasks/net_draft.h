#pragma once

#include "app/tasks/lab/calibration_cases.h"
#include "backends/lowering/edge_method.h"
#include "backends/xnnpack/quantize/model_draft.h"
#include "tests/backends/reference/graph_builder.h"

#include <cstdint>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace et::test {

using Sizes = std::vector<std::int64_t>;

/// A float record like the exporter's: each node has its operator in the exported program, its module and its
/// line of Python. Weights are normally distributed and deterministic.
class NetDraft {
  public:
    struct Input {
        std::string name;
        Sizes sizes;
        core::ScalarType dtype = core::ScalarType::Float;
    };
    explicit NetDraft(const std::vector<Input>& inputs);

    /// Assigns the following nodes to this module ("layers.0.fc") and this line of net.py.
    NetDraft& at(std::string module, int line);
    /// Starts the next operator of the exported program, such as "aten.conv2d.default", to which the
    /// following nodes belong: they share its debug handle.
    NetDraft& from(std::string target);

    /// Records Python calls of the following nodes, too, as strict export does.
    NetDraft& strictly();

    /// Adds a node with one result for the operator that from() named.
    std::string add(const std::string& op, std::vector<etrecord::Argument> inputs, const Sizes& sizes,
                    core::ScalarType dtype = core::ScalarType::Float);
    /// Adds a node with several results and returns them. `others`: dtype of all but the first.
    std::vector<std::string> addMany(const std::string& op, std::vector<etrecord::Argument> inputs,
                                     const std::vector<Sizes>& sizes,
                                     core::ScalarType others = core::ScalarType::Float);
    /// Adds a node whose result is a list of tensors, and returns them.
    std::vector<std::string> addList(const std::string& op, std::vector<etrecord::Argument> inputs,
                                     const std::vector<Sizes>& sizes);

    /// Adds a parameter of the module.
    std::string parameter(std::string_view name, const Sizes& sizes, float deviation, float mean = 0);
    std::string parameter(std::string_view name, const Sizes& sizes, const std::vector<float>& numbers);
    /// Adds a buffer of int64 or bool.
    std::string buffer(std::string_view name, const Sizes& sizes, const std::vector<std::int64_t>& numbers,
                       core::ScalarType dtype = core::ScalarType::Long);
    /// Adds a Python number that export turned into a constant: floats stay, integers are int64 and converted
    /// to float32 by a node of the same operator.
    std::string number(double value);
    std::string number(std::int64_t value);

    [[nodiscard]] Sizes sizesOf(const std::string& value) const;
    [[nodiscard]] std::shared_ptr<const etrecord::Record> record(const std::vector<std::string>& outputs);
    /// Returns `calls` cases: normally distributed numbers, or tokens below `vocabulary`.
    [[nodiscard]] std::vector<tasks::CalibrationCase> cases(int calls, std::int64_t vocabulary = 1) const;

  private:
    etrecord::Node& begin(const std::string& op, std::vector<etrecord::Argument> inputs);

    std::vector<Input> inputs;
    std::shared_ptr<const etrecord::Record> base;
    backends::lowering::EdgeMethod method;
    backends::xnnpack::ModelDraft draft;
    std::mt19937 random{21};
    std::string module;
    int line = 1;
    std::string source;  ///< node of the exported program, with its number
    std::string sourceTarget;
    core::DebugHandle handle{};  ///< of that node
    std::map<std::string, int> uses;
    bool strict = false;
    int numbers = 0;
};

}  // namespace et::test

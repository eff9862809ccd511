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

/// A float record as the exporter makes it: each node knows its operator in the exported program, its module
/// and its line of Python. Weights are normal numbers, always the same.
class NetDraft {
  public:
    struct Input {
        std::string name;
        Sizes sizes;
        core::ScalarType dtype = core::ScalarType::Float;
    };
    explicit NetDraft(const std::vector<Input>& inputs);

    /// What follows is of this module ("layers.0.fc") and comes from this line of net.py.
    NetDraft& at(std::string module, int line);
    /// The next operator of the exported program, such as "aten.conv2d.default": nodes that follow are its.
    NetDraft& from(std::string target);

    /// From now on the record knows what Python called as well, as strict exporting notes it.
    NetDraft& strictly();

    /// A node of the operator that from() named, with one result.
    std::string add(const std::string& op, std::vector<etrecord::Argument> inputs, const Sizes& sizes,
                    core::ScalarType dtype = core::ScalarType::Float);
    /// With several: the first is given, the others are read by nobody.
    std::string addMany(const std::string& op, std::vector<etrecord::Argument> inputs,
                        const std::vector<Sizes>& sizes, core::ScalarType others = core::ScalarType::Float);

    /// A parameter of the module.
    std::string parameter(std::string_view name, const Sizes& sizes, float deviation, float mean = 0);
    std::string parameter(std::string_view name, const Sizes& sizes, const std::vector<float>& numbers);
    /// A Python number that exporting made a constant of: floats stay, whole numbers are int64, which a node
    /// of the same operator turns into float32.
    std::string number(double value);
    std::string number(std::int64_t value);

    [[nodiscard]] Sizes sizesOf(const std::string& value) const;
    [[nodiscard]] std::shared_ptr<const etrecord::Record> record(const std::vector<std::string>& outputs);
    /// So many calls: normal numbers, or tokens below `vocabulary`.
    [[nodiscard]] std::vector<app::CalibrationCase> cases(int calls, std::int64_t vocabulary = 1) const;

  private:
    etrecord::Node& begin(const std::string& op, std::vector<etrecord::Argument> inputs);

    std::vector<Input> inputs;
    std::shared_ptr<const etrecord::Record> base;
    backends::lowering::EdgeMethod method;
    backends::xnnpack::ModelDraft draft;
    std::mt19937 random{21};
    std::string module;
    int line = 1;
    std::string source;  ///< of the exported program, with its number
    std::string sourceTarget;
    std::map<std::string, int> uses;
    bool strict = false;
    int numbers = 0;
};

}  // namespace et::test

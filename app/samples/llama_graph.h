#pragma once

#include "etrecord/exported_graph.h"
#include "etrecord/record.h"
#include "etrecord/writer.h"
#include "runtime/builder/program_builder.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace et::samples {

/// A tensor of the program and of the Edge graph in its ETRecord.
struct GraphTensor {
    program::ValueId id{};
    std::string name;
    std::vector<std::int64_t> sizes;
};
/// A number computed at run time.
struct GraphNumber {
    program::ValueId id{};
    std::string name;
};

/// An argument of an operator with its name in the schema.
struct GraphArgument {
    std::string_view name;
    std::variant<std::monostate, GraphTensor, GraphNumber, std::int64_t, double, bool,
                 std::vector<std::int64_t>, std::vector<GraphTensor>>
        value;
};

/// Builds a method with state, operator by operator, together with the Edge graph that it would have been
/// lowered from: each instruction has the debug handle of its node.
class StatefulGraph {
  public:
    /// `ofMethod`: its name, "forward".
    StatefulGraph(builder::MethodBuilder& into, std::string_view ofMethod);

    [[nodiscard]] GraphTensor input(std::string_view name, std::vector<std::int64_t> sizes,
                                    core::ScalarType dtype = core::ScalarType::Long);
    /// A weight of the current module, "wq.weight" below it.
    [[nodiscard]] GraphTensor parameter(std::string_view name, std::vector<std::int64_t> sizes,
                                        std::vector<float> numbers);
    [[nodiscard]] GraphTensor buffer(std::string_view name, std::vector<std::int64_t> sizes,
                                     std::vector<float> numbers);
    /// A buffer of zeros that operators write to and that keeps its values between executions.
    [[nodiscard]] GraphTensor state(std::string_view name, std::vector<std::int64_t> sizes);

    /// Calls the operator "aten.mm.default" with the kernel "aten::mm.out".
    [[nodiscard]] GraphTensor call(std::string_view op, std::string_view kernel,
                                   const std::vector<GraphArgument>& arguments,
                                   std::vector<std::int64_t> sizes);
    /// The number in a tensor with one element.
    [[nodiscard]] GraphNumber number(const GraphTensor& from);
    /// Writes `row` to a state at a position; returns the updated state.
    [[nodiscard]] GraphTensor update(const GraphTensor& state, const GraphTensor& row,
                                     const GraphNumber& position);
    /// The same elements with other sizes, without copying.
    [[nodiscard]] GraphTensor view(const GraphTensor& of, std::vector<std::int64_t> sizes);
    void output(const GraphTensor& result);

    /// Calls made while this object exists belong to a module, "attention" within the enclosing ones.
    class Module {
      public:
        Module(StatefulGraph& graph, std::string_view name, std::string_view type);
        ~Module();
        Module(const Module&) = delete;
        Module& operator=(const Module&) = delete;

      private:
        StatefulGraph& owner;
    };

    /// Adds the graph, its weights and its maps to an ETRecord. Errors: those of
    /// etrecord::writeTorchArchive().
    [[nodiscard]] core::Result<> addTo(etrecord::RecordWriter& writer);

  private:
    struct Attribute {
        std::string target;
        std::vector<std::int64_t> sizes;
        std::vector<float> numbers;
        bool isParameter = false;
    };
    std::string nameOf(std::string_view op);
    std::string addAttribute(std::string_view name, const std::vector<std::int64_t>& sizes,
                             std::vector<float> numbers, bool isParameter);
    void addNode(std::string target, std::vector<etrecord::Argument> inputs,
                 std::vector<etrecord::Argument> outputs);
    /// Maps the next instruction to the node that was added last.
    void addInstruction();

    builder::MethodBuilder& method;
    std::string methodName;
    etrecord::ExportedGraph graph;
    etrecord::MethodMaps maps;
    std::vector<etrecord::ModuleFrame> modules;
    std::vector<Attribute> attributes;
    std::vector<etrecord::Argument> userInputs;
    std::vector<std::pair<std::string, std::string>> mutations;  ///< value and target
    std::map<std::string, std::size_t, std::less<>> used;        ///< node names with the number of their uses
    std::int32_t instructions = 0;
};

/// Returns the ETRecord of a program's methods. Errors: those of addTo() and etrecord::RecordWriter.
[[nodiscard]] core::Result<std::vector<std::byte>> recordOf(const std::vector<StatefulGraph*>& graphs);

}  // namespace et::samples

#pragma once

#include "etrecord/exported_graph.h"
#include "etrecord/record.h"

#include <memory>
#include <string>
#include <vector>

namespace et::test {

/// Arguments of nodes.
[[nodiscard]] etrecord::Argument tensorArgument(std::string name, std::string value);
[[nodiscard]] etrecord::Argument tensorsArgument(std::string name, const std::vector<std::string>& values);
[[nodiscard]] etrecord::Argument intArgument(std::string name, std::int64_t value);
[[nodiscard]] etrecord::Argument intsArgument(std::string name, const std::vector<std::int64_t>& values);
[[nodiscard]] etrecord::Argument floatArgument(std::string name, double value);
[[nodiscard]] etrecord::Argument boolArgument(std::string name, bool value);
[[nodiscard]] etrecord::Argument graphArgument(etrecord::ExportedGraph graph);

/// A graph of float32 tensors (dtypes may be changed afterwards).
class GraphBuilder {
  public:
    GraphBuilder& input(const std::string& name, std::vector<std::int64_t> sizes);
    /// Adds a node with one output tensor of the node's name.
    GraphBuilder& node(const std::string& name, const std::string& target,
                       std::vector<etrecord::Argument> inputs);
    GraphBuilder& tensor(const std::string& name, std::vector<std::int64_t> sizes,
                         std::int8_t scalarType = 6);
    GraphBuilder& output(const std::string& name);
    [[nodiscard]] const etrecord::ExportedGraph& graph() const { return made; }
    [[nodiscard]] etrecord::ExportedGraph& graph() { return made; }
    /// Returns an ETRecord with this graph as Edge graph of `forward`.
    [[nodiscard]] std::shared_ptr<const etrecord::Record> record() const;

  private:
    etrecord::ExportedGraph made;
};

}  // namespace et::test

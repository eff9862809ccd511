#pragma once

#include "runtime/native/detail/texts.h"
#include "runtime/native/graph.h"
#include "runtime/native/schema/graph_generated.h"

#include <cstddef>

namespace et::native::detail {

/// Reads the arguments of nodes. `depth`: of the graph, which is 0 for a method's.
class ArgumentReader {
  public:
    ArgumentReader(Texts& from, const Names& definedNames, std::size_t graphDepth)
        : texts(from), defined(definedNames), depth(graphDepth) {}

    /// Errors: Format (no content, a value that is not defined, lists of different lengths), Unsupported (an
    /// unknown kind), Limit (depth, size).
    [[nodiscard]] core::Result<Argument> read(const schema::NamedArgument& argument,
                                              const core::FieldPath& path);

  private:
    using Path = core::FieldPath;
    using Value = core::Result<ArgumentValue>;

    Value readContent(const schema::Argument& argument, const Path& path);
    template <class T, class Table>
    Value readScalar(const Table& table, const Path& path);
    Value readTensor(const schema::TensorName& tensor, const Path& path);
    Value readInts(const schema::IntList& list, const Path& path);
    Value readBools(const schema::BoolList& list, const Path& path);
    Value readTensors(const schema::TensorList& list, const Path& path);
    Value readOptionalTensors(const schema::OptionalTensorList& list, const Path& path);
    Value readSubgraph(const schema::Subgraph& subgraph, const Path& path);
    core::Result<std::string> reference(const flatbuffers::String* name, const Path& path);

    Texts& texts;
    const Names& defined;
    std::size_t depth;
};

}  // namespace et::native::detail

#pragma once

#include "app/tasks/model/model.h"
#include "etrecord/record.h"
#include "inspector/source/source_index.h"
#include "runtime/core/result.h"
#include "runtime/core/strong_id.h"
#include "runtime/program/method.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// Names and places of a program's instructions, for breakpoints and stops.
namespace et::tasks {

class MethodAccess;

/// A line of Python.
struct SourceAt {
    std::string file;
    std::int64_t line = 0;
};

/// A Python function that was running when an operator was recorded.
struct CallFrame {
    SourceAt at;
    std::string function;
    std::string code;  ///< text of the line; may be empty
};

/// Origin of an operator; empty without a record.
struct OperatorOrigin {
    std::vector<core::DebugHandle> handles{};
    std::optional<std::string> module{};  ///< "layers.3"; "" for the root
    std::optional<SourceAt> source{};     ///< innermost frame outside PyTorch
    std::vector<CallFrame> stack{};       ///< innermost first, without PyTorch's own
    std::vector<std::string> nodes{};     ///< names in the Edge graph
};

/// An operator inside a delegate.
struct DelegateOperator {
    std::string kind;  ///< "XNNConv2d"
    OperatorOrigin origin{};
};

/// An instruction.
struct InstructionSite {
    std::int32_t chain = 0;
    std::int32_t instruction = 0;
    std::string op;  ///< "aten.mul.out", a backend, "MoveCall"
    OperatorOrigin origin{};
    std::optional<std::size_t> delegate{};
    std::vector<DelegateOperator> inside{};  ///< empty if the backend does not describe its payload
};

/// "aten.mul.out" for "aten::mul.out".
[[nodiscard]] std::string dottedName(std::string_view op);

/// The instructions of a method.
class MethodIndex {
  public:
    MethodIndex(const Model& model, const program::Method& method, const etrecord::Record* record);

    [[nodiscard]] const program::Method& method() const { return described; }
    /// In program order, chain by chain.
    [[nodiscard]] const std::vector<InstructionSite>& sites() const { return all; }
    /// Null: no such instruction.
    [[nodiscard]] const InstructionSite* find(std::int32_t chain, std::int32_t instruction) const;
    [[nodiscard]] const program::Instruction* instruction(const InstructionSite& site) const;
    /// Origin of operators with these handles.
    [[nodiscard]] OperatorOrigin originOf(std::vector<core::DebugHandle> handles) const;
    /// The value that the Edge graph names `node`: the only result of an instruction, or a constant or state
    /// that an operator takes.
    [[nodiscard]] std::optional<program::ValueId> valueNamed(std::string_view node) const;
    /// All names that valueNamed() accepts.
    [[nodiscard]] std::vector<std::string> valueNames() const;
    /// The name of that value in the Edge graph; empty if unknown.
    [[nodiscard]] std::string nameOf(program::ValueId value) const;
    /// Lines of Python. Errors: those of SourceIndex::build().
    [[nodiscard]] core::Result<const inspector::SourceIndex*> lines() const;
    [[nodiscard]] bool hasRecord() const { return record != nullptr; }
    /// Null: unknown.
    [[nodiscard]] const etrecord::ExportedGraph* edgeGraph() const {
        return record != nullptr ? record->edgeGraph(described.name) : nullptr;
    }

  private:
    void addSite(std::int32_t chain, std::int32_t instruction);
    void addName(const std::string& node, program::ValueId value);
    void addResultName(const InstructionSite& site, const MethodAccess& accesses);
    /// The last of these nodes in the graph; empty: none.
    [[nodiscard]] std::string lastNodeOf(const std::vector<core::DebugHandle>& handles) const;
    void addInputNames(const InstructionSite& site);

    const program::Method& described;
    const etrecord::Record* record;
    std::vector<InstructionSite> all;
    std::map<std::string, program::ValueId, std::less<>> named;
    std::unordered_map<program::ValueId, std::string> names;
    mutable std::optional<inspector::SourceIndex> sourceLines;
};

/// The indices of all methods, built when needed. Borrows the model.
class ProgramIndex {
  public:
    ProgramIndex(const Model& indexed, std::shared_ptr<const etrecord::Record> of)
        : model(indexed), record(std::move(of)) {}

    /// Empty: the default method. Errors: NotFound.
    [[nodiscard]] core::Result<const MethodIndex*> method(std::string_view name) const;
    [[nodiscard]] const program::Program& program() const { return *model.program; }
    [[nodiscard]] const etrecord::Record* etrecord() const { return record.get(); }

  private:
    const Model& model;
    std::shared_ptr<const etrecord::Record> record;
    mutable std::map<std::string, std::unique_ptr<MethodIndex>, std::less<>> methods;
};

}  // namespace et::tasks

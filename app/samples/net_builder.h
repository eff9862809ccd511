#pragma once

#include "app/samples/net.h"
#include "app/samples/random.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace et::samples {

/// Arguments of an operator in schema order.
using OperationArguments = std::vector<OperationArgument>;

/// Names of an operator at each stage of an export.
struct OperatorNames {
    std::string_view op;        ///< "aten.convolution.default"
    std::string_view kernel;    ///< "aten::convolution.out"; empty: see Operation
    std::string_view sourceOp;  ///< "aten.conv2d.default"
};

/// Builds a net as an export of its Python source would: names, debug handles, module hierarchy and stack
/// traces are derived from the current module and statement.
class NetBuilder {
  public:
    /// `python` is the source text of the net, `file` its name ("conv_net.py"); line numbers of statements
    /// are looked up in it. `rootType` is the class ("conv_net.ConvNet").
    NetBuilder(std::string_view file, std::string_view python, std::string_view rootType, std::uint64_t seed);

    TensorId input(std::string_view name, std::vector<std::int64_t> sizes);
    void output(TensorId id) { net.outputs.push_back(id); }
    /// Makes a parameter trainable; all gradients follow the outputs.
    void gradient(TensorId parameter, TensorId gradient) { net.gradients.push_back({parameter, gradient}); }

    /// A parameter of the current module with elements in [low, high).
    TensorId parameter(std::string_view name, std::vector<std::int64_t> sizes, float low, float high);
    TensorId buffer(std::string_view name, std::vector<std::int64_t> sizes, float low, float high);
    /// A buffer with the number 0 (BatchNorm's count of batches).
    void counter(std::string_view name);

    /// Enters a submodule of the current module: `attribute` is its name there, `type` its class.
    void enter(std::string_view attribute, std::string_view type);
    void leave();
    /// Sets the line of the current module's forward() for the following operators. PyTorch's own modules
    /// have none.
    void statement(std::string_view line);

    /// Adds an operator with one result of these sizes; its first argument is a tensor.
    TensorId add(const OperatorNames& names, OperationArguments arguments, std::vector<std::int64_t> sizes);
    /// Adds an operator with several results, which are named after the last getitem of the first; returns
    /// the first.
    TensorId addMany(const OperatorNames& names, OperationArguments arguments,
                     const std::vector<std::vector<std::int64_t>>& sizes);
    /// Gives the next operator the same source operator of the exported program as the last one.
    void sameSource() { keepSource = true; }

    [[nodiscard]] const std::vector<std::int64_t>& sizes(TensorId id) const { return net.tensor(id).sizes; }
    [[nodiscard]] Net finish();

  private:
    struct Scope {
        etrecord::ModuleFrame frame;
        std::string_view statement;
    };

    TensorId attribute(std::string_view name, std::vector<std::int64_t> sizes, bool isParameter,
                       core::ScalarType dtype);
    TensorId addTensor(std::string name, std::vector<std::int64_t> sizes,
                       core::ScalarType dtype = core::ScalarType::Float);
    void fillLast(float low, float high);
    Operation& begin(const OperatorNames& names, OperationArguments arguments);
    std::string numbered(const std::string& name);
    [[nodiscard]] std::string stackTrace() const;
    [[nodiscard]] std::int64_t lineNumber(std::string_view line) const;

    std::string_view file;
    std::string_view python;
    Random random;
    Net net;
    std::vector<Scope> scopes;
    std::map<std::string, int, std::less<>> uses;  ///< uses of names, in Edge graph and exported program
    bool keepSource = false;
};

/// Leaves a module at the end of a block.
class InModule {
  public:
    InModule(NetBuilder& net, std::string_view attribute, std::string_view type) : builder(net) {
        builder.enter(attribute, type);
    }
    ~InModule() { builder.leave(); }
    InModule(const InModule&) = delete;
    InModule& operator=(const InModule&) = delete;

  private:
    NetBuilder& builder;
};

}  // namespace et::samples

#pragma once

#include "runtime/core/value.h"
#include "runtime/kernels/kernel_context.h"
#include "runtime/kernels/registry.h"
#include "tests/operators/case.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace et::test::operators {

/// How a case is put into memory and run.
struct Manner {
    std::size_t threads = 1;
    bool constants = false;    ///< all tensors but the first are weights
    std::uint64_t orders = 0;  ///< not 0: dim orders follow from it
    bool sameOrder = false;    ///< one for all tensors of as many dimensions
    bool growing = false;      ///< outputs start larger than they end
    bool overInput = false;    ///< the first output lies in the memory of an input, where one has its size
    std::byte before{0xA5};    ///< what outputs hold before
};

/// The arguments of a case in memory with guards around each tensor, and the operator's answers.
class Call {
  public:
    Call(const Case& made, const Manner& manner);
    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    /// Prepares and runs, as a method does.
    [[nodiscard]] core::Result<> run(const kernels::KernelEntry& entry);

    /// An output; behind them, an argument that is changed.
    [[nodiscard]] const core::Tensor& output(std::size_t index) const { return *outputs[index]; }
    /// Where bytes changed that are no output's; empty: nowhere.
    [[nodiscard]] std::string damage() const;
    [[nodiscard]] bool liesOverInput() const { return shared; }

  private:
    /// A tensor's bytes between two guards, as they were before the run.
    struct Block {
        std::vector<std::max_align_t> memory;
        std::vector<std::byte> before;
        std::size_t bytes = 0;
        bool isOutput = false;
    };

    core::Value& own(core::Value::Kind content);
    core::Value& add(const Argument& argument);
    core::Tensor place(const Array& array, bool isOutput);
    core::Value& addOutput(const Array& array);
    void makeOutput(core::Tensor& tensor);
    void addChange(core::Value& argument);
    [[nodiscard]] std::vector<std::uint8_t> orderFor(const Array& array);

    Manner how;
    std::uint64_t orderState = 0;
    bool shared = false;
    std::size_t tensors = 0;
    std::deque<core::Value> values;
    std::deque<std::string> texts;
    std::deque<Block> blocks;
    std::vector<core::Value*> arguments;
    std::vector<core::Tensor*> outputs;
    std::vector<core::Tensor*> inputs;
    kernels::ThreadPool* pool;
    kernels::ScratchMemory scratch{std::uint64_t{1} << 28};
    std::mt19937_64 random;
    std::unique_ptr<kernels::KernelState> state;
};

}  // namespace et::test::operators

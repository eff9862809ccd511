// Tests that a product with a transposed matrix reads the matrix in place, with bit-identical results.
#include "runtime/kernels/builtin.h"
#include "tests/executor/fusion_listeners.h"
#include "tests/kernels/every_target.h"

namespace et::test {
namespace {

using builder::Ints;
using builder::MethodBuilder;
using builder::PlanStrategy;
using builder::ProgramBuilder;
using program::ValueId;

/// A product with a matrix that is the transpose of another.
Floats multiply(std::string_view transposition, bool add, std::int64_t rows, std::int64_t depth,
                std::int64_t columns, bool constant, std::uint64_t& fused) {
    ProgramBuilder program;
    MethodBuilder& method = program.method("forward");
    method.setPlanStrategy(PlanStrategy::Naive);
    const ValueId input = method.input({.sizes = {rows, depth}});
    const Floats numbers = randomFloats(elementsOf({columns, depth}), 1);
    ValueId matrix = constantOf(method, {columns, depth}, numbers);
    if (!constant) {
        const ValueId computed = method.intermediate({.sizes = {columns, depth}});
        method.call("aten::relu.out", {matrix}, {computed});
        matrix = computed;
    }
    const ValueId transposed = method.intermediate({.sizes = {depth, columns}});
    const ValueId result = method.intermediate({.sizes = {rows, columns}});
    if (transposition == "aten::permute_copy.out") {
        method.call(transposition, {matrix, Ints{-1, 0}}, {transposed});
    } else if (transposition == "aten::t_copy.out") {
        method.call(transposition, {matrix}, {transposed});
    } else {
        method.call(transposition, {matrix, 0, 1}, {transposed});
    }
    if (add) {
        const ValueId addend =
            constantOf(method, {columns}, randomFloats(static_cast<std::size_t>(columns), 2));
        method.call("aten::addmm.out", {addend, input, transposed, 1, 1}, {result});
    } else {
        method.call("aten::mm.out", {input, transposed}, {result});
    }
    method.output(result);
    LoadedProgram loaded(program, {}, kernels::builtin());
    executor::Method& made = loaded.method();
    const Floats given = randomFloats(elementsOf({rows, depth}), 3);
    FusedListener listener;
    made.setTracer(&listener);
    const Floats together = runOnce(made, {rows, depth}, given);
    fused = listener.fused();
    Listener each;
    made.setTracer(&each);
    EXPECT_TRUE(sameBits(together, runOnce(made, {rows, depth}, given)))
        << transposition << rows << "x" << depth << "x" << columns;
    return together;
}

TEST(FusedProduct, MultipliesByTransposeWithoutCopying) {
    onEveryTarget([] {
        for (const std::string_view name :
             {"aten::permute_copy.out", "aten::transpose_copy.int_out", "aten::t_copy.out"}) {
            for (const bool add : {false, true}) {
                for (const bool constant : {true, false}) {
                    for (const Ints& shape :
                         {Ints{1, 64, 48}, Ints{1, 37, 101}, Ints{9, 40, 33}, Ints{17, 1, 5}, Ints{3, 50, 1},
                          Ints{1, 1280, 1000}, Ints{1, 1283, 67}, Ints{2, 3, 16}, Ints{3, 130, 33},
                          Ints{4, 66, 50}}) {
                        std::uint64_t fused = 0;
                        multiply(name, add, shape[0], shape[1], shape[2], constant, fused);
                        EXPECT_EQ(fused, 2U) << name << core::sizesText(shape);
                    }
                }
            }
        }
    });
}

}  // namespace
}  // namespace et::test

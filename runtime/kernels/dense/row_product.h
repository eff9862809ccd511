#pragma once

#include "runtime/kernels/dense/matrix_product.h"

// Products of one or a few rows with a transposed matrix, such as the weights of a linear layer. Each of its
// elements is used only a few times, so it is streamed from memory and never copied.
namespace et::kernels::dense {

/// True if multiplyFewRows() supports the product.
[[nodiscard]] bool hasFewRows(const MatrixProduct<float>& product);

/// Computes the product, multithreaded. Sums are accumulated in order, as in multiply().
void multiplyFewRows(const ThreadPool& threads, const MatrixProduct<float>& product);

}  // namespace et::kernels::dense

#pragma once

#include "runtime/kernels/dense/matrix_product.h"

// Products of one or a few rows with a matrix that lies transposed, as the weights of a linear layer do: each
// number of it is used once or a few times, so that it is read as it comes from memory, and never copied.
namespace et::kernels::dense {

/// Whether it is one that multiplyFewRows() computes.
[[nodiscard]] bool hasFewRows(const MatrixProduct<float>& product);

/// Computes it, threaded. Each sum adds products from the first to the last, as multiply() does.
void multiplyFewRows(const ThreadPool& threads, const MatrixProduct<float>& product);

}  // namespace et::kernels::dense

#pragma once

#include <c10/util/irange.h>
#include <executorch/runtime/platform/compiler.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <type_traits>

// Loops over dense arrays. Matrices are row-major: x is m by n, y is n by p, z is m by p.
namespace torch::executor {

inline float vec_minf(const float* x, size_t size) {
    return *std::min_element(x, x + size);
}
inline float vec_maxf(const float* x, size_t size) {
    return *std::max_element(x, x + size);
}
inline void vec_addf(float* ET_RESTRICT z, const float* ET_RESTRICT x, const float* ET_RESTRICT y,
                     size_t size) {
    std::transform(x, x + size, y, z, [](float a, float b) { return a + b; });
}
inline void vec_scalef(float* ET_RESTRICT y, const float* ET_RESTRICT x, float scale, size_t size) {
    std::transform(x, x + size, y, [=](float a) { return a * scale; });
}

template <typename T, typename U = T>
void vec_matmul(T* ET_RESTRICT z, const U* ET_RESTRICT x, const U* ET_RESTRICT y, int64_t m, int64_t n,
                int64_t p) {
    for (int64_t i = 0; i < m; ++i) {
        for (int64_t j = 0; j < p; ++j) {
            T sum = 0;
            for (int64_t k = 0; k < n; ++k) {
                sum += x[i * n + k] * y[k * p + j];
            }
            z[i * p + j] = sum;
        }
    }
}

/// y is scaled by row.
template <typename T, typename U = T>
void vec_quantized_matmul_int8(T* ET_RESTRICT z, const U* ET_RESTRICT x, const int8_t* ET_RESTRICT y,
                               const U* ET_RESTRICT s, int64_t m, int64_t n, int64_t p) {
    for (int64_t i = 0; i < m; ++i) {
        for (int64_t j = 0; j < p; ++j) {
            T sum = 0;
            for (int64_t k = 0; k < n; ++k) {
                sum += x[i * n + k] * static_cast<U>(y[k * p + j]) * s[k];
            }
            z[i * p + j] = sum;
        }
    }
}

/// y is transposed, with a scale per group of g elements of a row.
template <typename T, typename U = T, typename V = U>
void vec_quantized_matmul_transb_int8(T* ET_RESTRICT z, const U* ET_RESTRICT x, const int8_t* ET_RESTRICT y,
                                      const V* ET_RESTRICT s, int64_t m, int64_t n, int64_t p, int64_t g) {
    const int64_t groups = (n + g - 1) / g;
    for (int64_t i = 0; i < m; ++i) {
        for (int64_t j = 0; j < p; ++j) {
            T sum = 0;
            for (int64_t group = 0; group < groups; ++group) {
                T part = 0;
                for (int64_t k = group * g; k < std::min((group + 1) * g, n); ++k) {
                    part += x[i * n + k] * static_cast<U>(y[j * n + k]);
                }
                sum += part * s[j * groups + group];
            }
            z[i * p + j] = sum;
        }
    }
}

template <typename T, typename U = T>
void vec_addmm(T* ET_RESTRICT out, const T* ET_RESTRICT self, const T* ET_RESTRICT mat1,
               const T* ET_RESTRICT mat2, int64_t m, int64_t n, int64_t p, U beta, U alpha) {
    vec_matmul<T>(out, mat1, mat2, m, n, p);
    for (int64_t i = 0; i < m * p; ++i) {
        out[i] = out[i] * alpha + self[i] * beta;
    }
}

template <typename T>
float reduce_add(const T* x, size_t size) {
    return std::accumulate(x, x + size, 0.0F);
}
template <typename T>
float vec_powerf(const T* x, size_t size) {
    return std::accumulate(x, x + size, 0.0F, [](float sum, T value) {
        return sum + static_cast<float>(value) * static_cast<float>(value);
    });
}

template <typename T, typename U>
void vec_softmax(T* ET_RESTRICT y, const U* ET_RESTRICT x, int n) {
    const U largest = *std::max_element(x, x + n);
    T sum = 0;
    for (int i = 0; i < n; ++i) {
        y[i] = std::exp(x[i] - largest);
        sum += y[i];
    }
    for (int i = 0; i < n; ++i) {
        y[i] /= sum;
    }
}

template <typename T, typename U = T>
void quantize_i8_f32(T* ET_RESTRICT y, const U* ET_RESTRICT x, float scale, int32_t zero_point, size_t size) {
    for (size_t i = 0; i < size; ++i) {
        const float value = std::round(static_cast<float>(x[i]) / scale + static_cast<float>(zero_point));
        y[i] = static_cast<T>(std::min(std::max(value, -128.0F), 127.0F));
    }
}
template <typename T, typename U = T>
void dequantize_i8_f32(T* ET_RESTRICT y, const U* ET_RESTRICT x, float scale, int32_t zero_point,
                       size_t size) {
    for (size_t i = 0; i < size; ++i) {
        y[i] = scale * static_cast<T>(x[i] - zero_point);
    }
}

}  // namespace torch::executor

#pragma once

#include "backends/xnnpack/payload/node_traits.h"

// Tables of functions that the table of kinds refers to, each defined in the file of its functions.
namespace et::backends::xnnpack {

// elementwise.cpp
extern const FormTraits unaryForm;
extern const FormTraits unaryNumberForm;
extern const FormTraits convertForm;
extern const FormTraits binaryForm;
extern const FormTraits softmaxForm;
extern const FormTraits copyForm;

// products.cpp
extern const FormTraits fullyConnectedForm;
extern const FormTraits batchMatrixMultiplyForm;
extern const FormTraits attentionForm;

// convolutions.cpp
extern const FormTraits convolutionForm;
extern const FormTraits depthwiseConvolutionForm;
extern const FormTraits transposedConvolutionForm;

// pooling.cpp
extern const FormTraits averagePoolingForm;
extern const FormTraits maxPoolingForm;
extern const FormTraits argMaxPoolingForm;
extern const FormTraits globalAveragePoolingForm;

// layout.cpp
extern const FormTraits concatenateForm;
extern const FormTraits transposeForm;
extern const FormTraits reshapeForm;
extern const FormTraits sliceForm;
extern const FormTraits padForm;
extern const FormTraits resizeForm;

}  // namespace et::backends::xnnpack

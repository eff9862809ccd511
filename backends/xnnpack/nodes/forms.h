#pragma once

#include "backends/xnnpack/payload/node_traits.h"

// Tables of functions that the table of kinds refers to, each defined in the file of its functions.
namespace et::backends::xnnpack {

// elementwise.cpp
extern const NodeFormInfo unaryForm;
extern const NodeFormInfo unaryNumberForm;
extern const NodeFormInfo convertForm;
extern const NodeFormInfo binaryForm;
extern const NodeFormInfo softmaxForm;
extern const NodeFormInfo copyForm;

// products.cpp
extern const NodeFormInfo fullyConnectedForm;
extern const NodeFormInfo batchMatrixMultiplyForm;
extern const NodeFormInfo attentionForm;

// convolutions.cpp
extern const NodeFormInfo convolutionForm;
extern const NodeFormInfo depthwiseConvolutionForm;
extern const NodeFormInfo transposedConvolutionForm;

// pooling.cpp
extern const NodeFormInfo averagePoolingForm;
extern const NodeFormInfo maxPoolingForm;
extern const NodeFormInfo argMaxPoolingForm;
extern const NodeFormInfo globalAveragePoolingForm;

// layout.cpp
extern const NodeFormInfo concatenateForm;
extern const NodeFormInfo transposeForm;
extern const NodeFormInfo reshapeForm;
extern const NodeFormInfo sliceForm;
extern const NodeFormInfo padForm;
extern const NodeFormInfo resizeForm;

}  // namespace et::backends::xnnpack

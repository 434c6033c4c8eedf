// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/cuda/matrix_products.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string>
#include <tuple>

#include <cublasLt.h>

#include "engine/base/error.h"
#include "engine/base/shared_library.h"
#include "engine/cuda/cuda_queue.h"

namespace slipstream {
namespace {

struct CublasLtLibrary {
  decltype(&cublasLtCreate) create = nullptr;
  decltype(&cublasLtDestroy) destroy = nullptr;
  decltype(&cublasLtGetStatusString) statusString = nullptr;
  decltype(&cublasLtMatmul) matmul = nullptr;
  decltype(&cublasLtMatmulAlgoGetHeuristic) heuristic = nullptr;
  decltype(&cublasLtMatmulDescCreate) createProduct = nullptr;
  decltype(&cublasLtMatmulDescDestroy) destroyProduct = nullptr;
  decltype(&cublasLtMatmulDescSetAttribute) setProduct = nullptr;
  decltype(&cublasLtMatrixLayoutCreate) createLayout = nullptr;
  decltype(&cublasLtMatrixLayoutDestroy) destroyLayout = nullptr;
  decltype(&cublasLtMatmulPreferenceCreate) createPreference = nullptr;
  decltype(&cublasLtMatmulPreferenceDestroy) destroyPreference = nullptr;
  decltype(&cublasLtMatmulPreferenceSetAttribute) setPreference = nullptr;
};

Result<CublasLtLibrary> load() {
  SLIPSTREAM_TRY(file, SharedLibrary::open("libcublasLt.so.13", SLIPSTREAM_CUBLASLT_LIBRARY,
                                           "install cuBLAS of CUDA 13 (NVIDIA's package libcublas-13-0), or put its "
                                           "folder into LD_LIBRARY_PATH"));
  CublasLtLibrary library;
  file.find(library.create, "cublasLtCreate");
  file.find(library.destroy, "cublasLtDestroy");
  file.find(library.statusString, "cublasLtGetStatusString");
  file.find(library.matmul, "cublasLtMatmul");
  file.find(library.heuristic, "cublasLtMatmulAlgoGetHeuristic");
  file.find(library.createProduct, "cublasLtMatmulDescCreate");
  file.find(library.destroyProduct, "cublasLtMatmulDescDestroy");
  file.find(library.setProduct, "cublasLtMatmulDescSetAttribute");
  file.find(library.createLayout, "cublasLtMatrixLayoutCreate");
  file.find(library.destroyLayout, "cublasLtMatrixLayoutDestroy");
  file.find(library.createPreference, "cublasLtMatmulPreferenceCreate");
  file.find(library.destroyPreference, "cublasLtMatmulPreferenceDestroy");
  file.find(library.setPreference, "cublasLtMatmulPreferenceSetAttribute");
  return library;
}

const Result<CublasLtLibrary>& findCublasLt() {
  static const Result<CublasLtLibrary> library = load();
  return library;
}

const CublasLtLibrary& cublasLt() {
  const auto& library = findCublasLt();
  if (!library) throw Error(toText(library.error()));
  return *library;
}

void check(cublasStatus_t status, const char* what) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  throw Error(std::string("cuBLASLt: ") + what + ": " + cublasLt().statusString(status));
}

struct DestroyHandle {
  void operator()(cublasLtHandle_t handle) const { cublasLt().destroy(handle); }
};
struct DestroyProduct {
  void operator()(cublasLtMatmulDesc_t product) const { cublasLt().destroyProduct(product); }
};
struct DestroyLayout {
  void operator()(cublasLtMatrixLayout_t layout) const { cublasLt().destroyLayout(layout); }
};
struct DestroyPreference {
  void operator()(cublasLtMatmulPreference_t preference) const { cublasLt().destroyPreference(preference); }
};
using Handle = std::unique_ptr<std::remove_pointer_t<cublasLtHandle_t>, DestroyHandle>;
using Product = std::unique_ptr<std::remove_pointer_t<cublasLtMatmulDesc_t>, DestroyProduct>;
using Layout = std::unique_ptr<std::remove_pointer_t<cublasLtMatrixLayout_t>, DestroyLayout>;
using Preference = std::unique_ptr<std::remove_pointer_t<cublasLtMatmulPreference_t>, DestroyPreference>;

Handle makeHandle() {
  cublasLtHandle_t made = nullptr;
  check(cublasLt().create(&made), "open the GPU");
  return Handle(made);
}

cudaDataType_t dataType(NumberType type) {
  switch (type) {
    case NumberType::float16:
      return CUDA_R_16F;
    case NumberType::bfloat16:
      return CUDA_R_16BF;
    default:
      return CUDA_R_32F;
  }
}

Layout makeLayout(const ColumnMajor& matrix, NumberType type) {
  cublasLtMatrixLayout_t made = nullptr;
  check(cublasLt().createLayout(&made, dataType(type), static_cast<std::uint64_t>(matrix.rows),
                                static_cast<std::uint64_t>(matrix.columns), matrix.stride),
        "describe a matrix");
  return Layout(made);
}

Product makeProduct(const ColumnMajorProduct& of) {
  cublasLtMatmulDesc_t made = nullptr;
  check(cublasLt().createProduct(&made, CUBLAS_COMPUTE_32F, CUDA_R_32F), "describe a product");
  Product product(made);
  const cublasOperation_t first = of.first.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  const cublasOperation_t second = of.second.transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
  check(cublasLt().setProduct(made, CUBLASLT_MATMUL_DESC_TRANSA, &first, sizeof(first)), "describe a product");
  check(cublasLt().setProduct(made, CUBLASLT_MATMUL_DESC_TRANSB, &second, sizeof(second)), "describe a product");
  return product;
}

constexpr std::size_t workspaceBytes = 32U << 20U;

/// The alignments of both operands and the result.
using Alignments = std::array<std::uint32_t, 3>;

Preference makePreference(const Alignments& alignments) {
  cublasLtMatmulPreference_t made = nullptr;
  check(cublasLt().createPreference(&made), "state a preference");
  Preference preference(made);
  const auto set = [made](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
    check(cublasLt().setPreference(made, attribute, &value, sizeof(value)), "state a preference");
  };
  // Partial sums are added in a step of their own, in fixed order.
  const std::uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
  set(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, workspaceBytes);
  set(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, reductions);
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignments[0]);
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignments[1]);
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignments[2]);
  set(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignments[2]);
  return preference;
}

/// A row-major operand, seen by columns: its transpose.
ColumnMajor seenByColumns(bool transposed, std::int64_t rows, std::int64_t columns) {
  const std::int64_t storedRows = transposed ? columns : rows;
  const std::int64_t storedColumns = transposed ? rows : columns;
  return {storedColumns, storedRows, storedColumns, transposed};
}

}  // namespace

Status cublasLtIsThere() {
  const auto& library = findCublasLt();
  if (!library) return tl::unexpected(library.error());
  return {};
}

ColumnMajorProduct columnMajorProduct(char transposeA, char transposeB, std::int64_t rows, std::int64_t columns,
                                      std::int64_t inner) {
  return {seenByColumns(transposeB == 'T', inner, columns), seenByColumns(transposeA == 'T', rows, inner),
          seenByColumns(false, rows, columns)};
}

std::uint32_t alignmentOf(const void* address) {
  constexpr std::uintptr_t most = 256;
  return static_cast<std::uint32_t>(std::uintptr_t{1}
                                    << std::countr_zero(reinterpret_cast<std::uintptr_t>(address) | most));
}

struct MatrixProducts::State {
  using Key = std::tuple<NumberType, char, char, std::int64_t, std::int64_t, std::int64_t, Alignments>;
  struct Prepared {
    Product product;
    Layout first;
    Layout second;
    Layout result;
    cublasLtMatmulAlgo_t algorithm;
  };

  Prepared prepare(const ColumnMajorProduct& of, NumberType type, const Alignments& alignments) const;

  cudaStream_t stream;
  Handle handle;
  std::unique_ptr<Buffer> workspace;
  std::map<Key, Prepared> prepared;
};

MatrixProducts::State::Prepared MatrixProducts::State::prepare(const ColumnMajorProduct& of, NumberType type,
                                                               const Alignments& alignments) const {
  Prepared made{makeProduct(of),
                makeLayout(of.first, type),
                makeLayout(of.second, type),
                makeLayout(of.result, NumberType::float32),
                {}};
  const Preference preference = makePreference(alignments);
  cublasLtMatmulHeuristicResult_t best{};
  int found = 0;
  check(cublasLt().heuristic(handle.get(), made.product.get(), made.first.get(), made.second.get(), made.result.get(),
                             made.result.get(), preference.get(), 1, &best, &found),
        "choose how to multiply");
  if (found == 0) throw Error("cuBLASLt has no way to multiply these matrices");
  made.algorithm = best.algo;
  return made;
}

MatrixProducts::MatrixProducts(Device& device)
    : state_(new State{cudaQueue(device.queue()).stream(),
                       makeHandle(),
                       device.allocate(workspaceBytes, MemoryCategory::activations),
                       {}}) {}

MatrixProducts::~MatrixProducts() = default;

void MatrixProducts::multiply(char transposeA, char transposeB, std::int64_t rows, std::int64_t columns,
                              std::int64_t inner, const Operands& of, float beta, float* c) {
  const Alignments alignments{alignmentOf(of.b), alignmentOf(of.a), alignmentOf(c)};
  const State::Key key{of.type, transposeA, transposeB, rows, columns, inner, alignments};
  auto known = state_->prepared.find(key);
  if (known == state_->prepared.end()) {
    const auto product = columnMajorProduct(transposeA, transposeB, rows, columns, inner);
    known = state_->prepared.emplace(key, state_->prepare(product, of.type, alignments)).first;
  }
  const State::Prepared& run = known->second;
  constexpr float one = 1.0F;
  check(cublasLt().matmul(state_->handle.get(), run.product.get(), &one, of.b, run.first.get(), of.a, run.second.get(),
                          &beta, c, run.result.get(), c, run.result.get(), &run.algorithm,
                          state_->workspace->bytes().data(), workspaceBytes, state_->stream),
        "multiply");
}

}  // namespace slipstream

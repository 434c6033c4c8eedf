// SPDX-License-Identifier: GPL-3.0-or-later
// The fake libopapi: arithmetic, in double, rounded once.
#include <algorithm>
#include <cmath>

#include "tests/npu/fake_cann/operator_call.h"

namespace slipstream::fake {
namespace {

/// The values repeated along dimensions of size 1, or missing in front, to have the sizes.
Values spread(const OperatorCall& call, const Operand& from, const Sizes& to) {
  const Sizes& sizes = from.sizes();
  call.require(sizes.size() <= to.size(), "more dimensions than the result has");
  const std::size_t missing = to.size() - sizes.size();
  Sizes steps(to.size(), 0);
  std::int64_t step = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    call.require(sizes[i] == to[missing + i] || sizes[i] == 1, "sizes do not match");
    steps[missing + i] = sizes[i] == 1 ? 0 : step;
    step *= sizes[i];
  }
  const Values values = from.read();
  Values result(static_cast<std::size_t>(countOf(to)));
  Sizes at(to.size(), 0);
  std::int64_t offset = 0;
  for (double& value : result) {
    value = values[static_cast<std::size_t>(offset)];
    for (std::size_t i = to.size(); i-- > 0;) {
      offset += steps[i];
      if (++at[i] < to[i]) break;
      offset -= to[i] * steps[i];
      at[i] = 0;
    }
  }
  return result;
}

template <class Each>
aclnnStatus both(const aclTensor* a, const aclTensor* b, aclTensor* out, OperatorCall call, std::uint64_t* bytes,
                 aclOpExecutor** executor, const Each& each) {
  const Operand left = call.tensor(a);
  const Operand right = call.tensor(b);
  const Operand result = call.tensor(out);
  // Of two types the result has the one that holds both.
  const int type = left.type() == right.type() ? left.type() : slipstream::aclnn::float32;
  call.require(type == result.type(), "operands of different types");
  return call.prepared(bytes, executor, [=] {
    Values values = spread(call, left, result.sizes());
    const Values others = spread(call, right, result.sizes());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = each(values[i], others[i]);
    result.write(values);
  });
}

template <class Each>
aclnnStatus alone(OperatorCall call, const aclTensor* a, aclTensor* out, std::uint64_t* bytes, aclOpExecutor** executor,
                  const Each& each) {
  const Operand from = call.tensor(a);
  const Operand to = call.tensor(out);
  call.require(from.type() == to.type() && from.sizes() == to.sizes(), "operands of different types or sizes");
  return call.prepared(bytes, executor, [=] {
    Values values = from.read();
    for (double& value : values) value = each(value);
    to.write(values);
  });
}

aclnnStatus reduced(OperatorCall call, const aclTensor* a, const aclIntArray* over, bool keeps, int type,
                    aclTensor* out, bool mean, std::uint64_t* bytes, aclOpExecutor** executor) {
  const Operand from = call.tensor(a);
  const Operand to = call.tensor(out);
  const Sizes gone = call.numbers(over);
  call.require(type == to.type(), "a result of another type than was asked for");
  Sizes left;
  Sizes steps;  // of the result, for each dimension of the operand
  for (std::size_t i = 0; i < from.sizes().size(); ++i) {
    const bool goes = std::ranges::find(gone, static_cast<std::int64_t>(i)) != gone.end();
    if (!goes) left.push_back(from.size(i));
    if (goes && keeps) left.push_back(1);
    steps.push_back(goes ? 0 : 1);
  }
  call.require(left == to.sizes(), "a result of other sizes");
  std::int64_t step = 1;
  for (std::size_t i = steps.size(); i-- > 0;) {
    if (steps[i] == 0) continue;
    steps[i] = step;
    step *= from.size(i);
  }
  return call.prepared(bytes, executor, [=] {
    Values sums(static_cast<std::size_t>(countOf(to.sizes())), 0.0);
    Sizes at(steps.size(), 0);
    std::int64_t place = 0;
    const Values values = from.read();
    for (const double value : values) {
      sums[static_cast<std::size_t>(place)] += value;
      for (std::size_t i = steps.size(); i-- > 0;) {
        place += steps[i];
        if (++at[i] < from.size(i)) break;
        place -= from.size(i) * steps[i];
        at[i] = 0;
      }
    }
    const double share = mean ? static_cast<double>(sums.size()) / static_cast<double>(values.size()) : 1.0;
    for (double& sum : sums) sum *= share;
    to.write(sums);
  });
}

}  // namespace
}  // namespace slipstream::fake

using namespace slipstream::fake;  // NOLINT: the functions below have C's names

extern "C" {

aclnnStatus aclnnMatmulGetWorkspaceSize(const aclTensor* a, const aclTensor* b, aclTensor* out, std::int8_t,
                                        std::uint64_t* bytes, aclOpExecutor** executor) {
  OperatorCall call("aclnnMatmul");
  const Operand left = call.tensor(a);
  const Operand right = call.tensor(b);
  const Operand result = call.tensor(out);
  call.require(left.sizes().size() == 2 && right.sizes().size() == 2 && left.size(1) == right.size(0) &&
                   result.sizes() == Sizes{left.size(0), right.size(1)},
               "matrices that do not fit");
  call.require(left.type() == right.type() && left.type() == result.type(), "operands of different types");
  return call.prepared(bytes, executor, [=] {
    const auto inner = static_cast<std::size_t>(left.size(1));
    const auto columns = static_cast<std::size_t>(right.size(1));
    const Values first = left.read();
    const Values second = right.read();
    Values product(static_cast<std::size_t>(countOf(result.sizes())), 0.0);
    for (std::size_t row = 0; row < product.size() / columns; ++row) {
      for (std::size_t k = 0; k < inner; ++k) {
        const double factor = first[row * inner + k];
        for (std::size_t c = 0; c < columns; ++c) product[row * columns + c] += factor * second[k * columns + c];
      }
    }
    result.write(product);
  });
}

aclnnStatus aclnnAddGetWorkspaceSize(const aclTensor* a, const aclTensor* b, const aclScalar* factor, aclTensor* out,
                                     std::uint64_t* bytes, aclOpExecutor** executor) {
  OperatorCall call("aclnnAdd");
  const double times = call.scalar(factor);
  return both(a, b, out, call, bytes, executor, [=](double one, double other) { return one + times * other; });
}
aclnnStatus aclnnSubGetWorkspaceSize(const aclTensor* a, const aclTensor* b, const aclScalar* factor, aclTensor* out,
                                     std::uint64_t* bytes, aclOpExecutor** executor) {
  OperatorCall call("aclnnSub");
  const double times = call.scalar(factor);
  return both(a, b, out, call, bytes, executor, [=](double one, double other) { return one - times * other; });
}
aclnnStatus aclnnMulGetWorkspaceSize(const aclTensor* a, const aclTensor* b, aclTensor* out, std::uint64_t* bytes,
                                     aclOpExecutor** executor) {
  return both(a, b, out, OperatorCall("aclnnMul"), bytes, executor,
              [](double one, double other) { return one * other; });
}
aclnnStatus aclnnMulsGetWorkspaceSize(const aclTensor* a, const aclScalar* factor, aclTensor* out, std::uint64_t* bytes,
                                      aclOpExecutor** executor) {
  OperatorCall call("aclnnMuls");
  const double times = call.scalar(factor);
  return alone(call, a, out, bytes, executor, [=](double value) { return value * times; });
}

aclnnStatus aclnnInplaceCopyGetWorkspaceSize(aclTensor* to, const aclTensor* from, std::uint64_t* bytes,
                                             aclOpExecutor** executor) {
  OperatorCall call("aclnnInplaceCopy");
  const Operand source = call.tensor(from);
  const Operand target = call.tensor(to);
  return call.prepared(bytes, executor, [=] { target.write(spread(call, source, target.sizes())); });
}

aclnnStatus aclnnReduceSumGetWorkspaceSize(const aclTensor* a, const aclIntArray* over, bool keeps, int type,
                                           aclTensor* out, std::uint64_t* bytes, aclOpExecutor** executor) {
  return reduced(OperatorCall("aclnnReduceSum"), a, over, keeps, type, out, false, bytes, executor);
}
aclnnStatus aclnnMeanGetWorkspaceSize(const aclTensor* a, const aclIntArray* over, bool keeps, int type, aclTensor* out,
                                      std::uint64_t* bytes, aclOpExecutor** executor) {
  return reduced(OperatorCall("aclnnMean"), a, over, keeps, type, out, true, bytes, executor);
}

aclnnStatus aclnnClampMinGetWorkspaceSize(const aclTensor* a, const aclScalar* least, aclTensor* out,
                                          std::uint64_t* bytes, aclOpExecutor** executor) {
  OperatorCall call("aclnnClampMin");
  const double bound = call.scalar(least);
  return alone(call, a, out, bytes, executor, [=](double value) { return value < bound ? bound : value; });
}
aclnnStatus aclnnRsqrtGetWorkspaceSize(const aclTensor* a, aclTensor* out, std::uint64_t* bytes,
                                       aclOpExecutor** executor) {
  return alone(OperatorCall("aclnnRsqrt"), a, out, bytes, executor, [](double value) { return 1 / std::sqrt(value); });
}
aclnnStatus aclnnExpGetWorkspaceSize(const aclTensor* a, aclTensor* out, std::uint64_t* bytes,
                                     aclOpExecutor** executor) {
  return alone(OperatorCall("aclnnExp"), a, out, bytes, executor, [](double value) { return std::exp(value); });
}
aclnnStatus aclnnReluGetWorkspaceSize(const aclTensor* a, aclTensor* out, std::uint64_t* bytes,
                                      aclOpExecutor** executor) {
  return alone(OperatorCall("aclnnRelu"), a, out, bytes, executor, [](double value) { return value < 0 ? 0 : value; });
}
aclnnStatus aclnnThresholdBackwardGetWorkspaceSize(const aclTensor* gradient, const aclTensor* a,
                                                   const aclScalar* threshold, aclTensor* out, std::uint64_t* bytes,
                                                   aclOpExecutor** executor) {
  OperatorCall call("aclnnThresholdBackward");
  const double bound = call.scalar(threshold);
  return both(gradient, a, out, call, bytes, executor,
              [=](double passed, double value) { return value <= bound ? 0 : passed; });
}

aclnnStatus aclnnConstantPadNdGetWorkspaceSize(const aclTensor* a, const aclIntArray* padding, const aclScalar* value,
                                               aclTensor* out, std::uint64_t* bytes, aclOpExecutor** executor) {
  OperatorCall call("aclnnConstantPadNd");
  const Operand from = call.tensor(a);
  const Operand to = call.tensor(out);
  const Sizes around = call.numbers(padding, 4);  // left, right, above, below
  const double fill = call.scalar(value);
  call.require(from.sizes().size() == 4 && from.type() == to.type() &&
                   to.sizes() == Sizes{from.size(0), from.size(1), from.size(2) + around[2] + around[3],
                                       from.size(3) + around[0] + around[1]},
               "a result of another type or other sizes");
  return call.prepared(bytes, executor, [=] {
    const Values values = from.read();
    Values padded(static_cast<std::size_t>(countOf(to.sizes())), fill);
    std::size_t next = 0;
    for (std::int64_t plane = 0; plane < from.size(0) * from.size(1); ++plane) {
      for (std::int64_t row = 0; row < from.size(2); ++row) {
        const std::int64_t start = (plane * to.size(2) + row + around[2]) * to.size(3) + around[0];
        for (std::int64_t x = 0; x < from.size(3); ++x) padded[static_cast<std::size_t>(start + x)] = values[next++];
      }
    }
    to.write(padded);
  });
}

aclnnStatus aclnnLogSoftmaxGetWorkspaceSize(const aclTensor* a, std::int64_t over, aclTensor* out, std::uint64_t* bytes,
                                            aclOpExecutor** executor) {
  OperatorCall call("aclnnLogSoftmax");
  const Operand from = call.tensor(a);
  const Operand to = call.tensor(out);
  call.require(from.sizes().size() == 2 && over == 1 && from.sizes() == to.sizes(), "no rows of logits");
  return call.prepared(bytes, executor, [=] {
    Values values = from.read();
    const std::int64_t width = from.size(1);
    for (auto row = values.begin(); row != values.end(); row += width) {
      const double largest = *std::max_element(row, row + width);
      double sum = 0;
      for (auto at = row; at != row + width; ++at) sum += std::exp(*at - largest);
      for (auto at = row; at != row + width; ++at) *at -= largest + std::log(sum);
    }
    to.write(values);
  });
}

aclnnStatus aclnnOneHotGetWorkspaceSize(const aclTensor* labels, int classes, const aclTensor* on, const aclTensor* off,
                                        std::int64_t axis, aclTensor* out, std::uint64_t* bytes,
                                        aclOpExecutor** executor) {
  OperatorCall call("aclnnOneHot");
  const Operand of = call.tensor(labels);
  const Operand hot = call.tensor(on);
  const Operand cold = call.tensor(off);
  const Operand to = call.tensor(out);
  call.require(of.type() == slipstream::aclnn::int32 && axis == -1 && to.sizes() == Sizes{of.size(0), classes} &&
                   hot.type() == to.type() && cold.type() == to.type(),
               "labels that do not fit");
  return call.prepared(bytes, executor, [=] {
    Values marks(static_cast<std::size_t>(countOf(to.sizes())), cold.read().front());
    std::size_t row = 0;
    for (const double label : of.read()) {
      marks[row * static_cast<std::size_t>(classes) + static_cast<std::size_t>(label)] = hot.read().front();
      ++row;
    }
    to.write(marks);
  });
}

aclnnStatus aclnnArgMaxGetWorkspaceSize(const aclTensor* a, std::int64_t over, bool keeps, aclTensor* out,
                                        std::uint64_t* bytes, aclOpExecutor** executor) {
  OperatorCall call("aclnnArgMax");
  const Operand from = call.tensor(a);
  const Operand to = call.tensor(out);
  call.require(from.sizes().size() == 2 && over == 1 && !keeps && to.sizes() == Sizes{from.size(0)} &&
                   to.type() == slipstream::aclnn::int32,
               "no rows, or a result of another type");
  return call.prepared(bytes, executor, [=] {
    const Values values = from.read();
    Values places;
    for (auto row = values.begin(); row != values.end(); row += from.size(1)) {
      places.push_back(static_cast<double>(std::max_element(row, row + from.size(1)) - row));
    }
    to.write(places);
  });
}

}  // extern "C"

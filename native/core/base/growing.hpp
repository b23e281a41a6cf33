// A long array of plain values that grows as `realloc` does: the system moves the pages of a large one, so that no copy
// stands beside it, and pages that are not used yet take no memory.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace pigro::core {

template <typename T>
class Growing {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  std::size_t capacity() const { return capacity_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](std::size_t at) {
    assert(at < size_);
    return data_[at];
  }
  const T& operator[](std::size_t at) const {
    assert(at < size_);
    return data_[at];
  }
  T& back() { return (*this)[size_ - 1]; }

  void push_back(const T& value) {
    const T copy = value; // it may be in the array
    if (size_ == capacity_) reserve(std::max<std::size_t>(kFewest, 2 * capacity_));
    data_[size_++] = copy;
  }
  void pop_back() {
    assert(size_ > 0);
    --size_;
  }
  // A long one gives its memory back.
  void clear() {
    size_ = 0;
    if (capacity_ * sizeof(T) < kLong) return;
    data_.reset();
    capacity_ = 0;
  }
  // New values are zero.
  void resize(std::size_t size) {
    if (size > capacity_) reserve(std::max(size, 2 * capacity_));
    if (size > size_) std::fill(data_.get() + size_, data_.get() + size, T{});
    size_ = size;
  }
  void shrink_to_fit() {
    if (size_ > 0) reserve(size_);
  }

 private:
  static constexpr std::size_t kFewest = 16;
  static constexpr std::size_t kLong = std::size_t{1} << 20; // bytes

  struct Free {
    void operator()(T* memory) const { std::free(memory); }
  };

  void reserve(std::size_t capacity) {
    void* const moved = std::realloc(data_.get(), capacity * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    static_cast<void>(data_.release());
    data_.reset(static_cast<T*>(moved));
    capacity_ = capacity;
  }

  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

} // namespace pigro::core

# make install: headers and libraries where C programmers look. Included by ../Makefile.
#
#   make install PREFIX=/usr/local
#   make install PREFIX=/opt/wireline TARGET=thumbv7em-none-eabihf     a chip's library, in lib/TARGET
#   make uninstall PREFIX=…                                            what install put there
#   make install-esp-idf DIR=project/components/wireline TARGET=riscv32imac-unknown-none-elf
#   make install-zephyr DIR=… TARGET=…, make install-platformio DIR=project/lib/wireline TARGET=…
#                                                                      for those build systems; see docs/c-chips.md
#
# For a host this takes ELF (../Makefile says so elsewhere), and always `realpath` of GNU coreutils.
#
# Variables: PREFIX, DESTDIR, INCLUDEDIR, LIBDIR, DOCDIR, INSTALL. What is installed may be moved as a whole.

PREFIX ?= /usr/local
DESTDIR ?=
INSTALL ?= install
INCLUDEDIR ?= $(PREFIX)/include
# Libraries of several chips may lie beside the host's.
LIBDIR ?= $(PREFIX)/lib$(if $(TARGET),/$(TARGET))
DOCDIR ?= $(PREFIX)/share/doc/wireline

packaging := $(root)/ffi-c/packaging
pkgconfigdir = $(LIBDIR)/pkgconfig
cmakedir = $(LIBDIR)/cmake/wireline
# Make splits words at blanks, and a half-named folder must not be installed to or removed.
blank := $(subst ,, )
ifneq ($(findstring $(blank),$(strip $(DESTDIR)$(PREFIX)$(INCLUDEDIR)$(LIBDIR)$(DOCDIR)$(DIR))),)
$(error PREFIX, DESTDIR and DIR must be paths without blanks)
endif
ifneq ($(findstring linux,$(TARGET))$(findstring darwin,$(TARGET))$(findstring windows,$(TARGET)),)
$(error TARGET is for chips; for another host, build on it)
endif
# What root installs has been built before, by whoever ran make; it is built by root only if nothing is there.
ready = $(if $(SUDO_UID),$(if $(wildcard $(OUT)/libwireline.a),,all),all)
# Bytes of a pointer.
pointer = $(if $(TARGET),4,$(shell echo $$(($$(getconf LONG_BIT) / 8))))

ifneq ($(filter install,$(MAKECMDGOALS)),)
ifneq ($(shell realpath -ms --relative-to=/a/b /a/c 2>/dev/null),../c)
$(error make install takes GNU coreutils, whose realpath knows --relative-to)
endif
endif

# From one installed folder to another, so that the tree can be moved.
relative = $(shell realpath -ms --relative-to=$(1) $(2))

fill = sed -e 's|@VERSION@|$(version)|g' -e 's|@ABI@|$(abi)|g' \
	-e 's|@POINTER@|$(pointer)|g' \
	-e 's|@LIBDIR@|$(call relative,$(pkgconfigdir),$(LIBDIR))|g' \
	-e 's|@INCLUDEDIR@|$(call relative,$(pkgconfigdir),$(INCLUDEDIR))|g' \
	-e 's|@CMAKE_LIBDIR@|$(call relative,$(cmakedir),$(LIBDIR))|g' \
	-e 's|@CMAKE_INCLUDEDIR@|$(call relative,$(cmakedir),$(INCLUDEDIR))|g'

.PHONY: install uninstall install-esp-idf install-zephyr install-platformio
install: $(ready)
	$(INSTALL) -d $(DESTDIR)$(INCLUDEDIR) $(DESTDIR)$(LIBDIR) $(DESTDIR)$(pkgconfigdir) $(DESTDIR)$(cmakedir) $(DESTDIR)$(DOCDIR)
	$(INSTALL) -m 644 $(root)/ffi-c/include/wireline.h $(root)/ffi-c/include/wireline.hpp $(DESTDIR)$(INCLUDEDIR)
	$(INSTALL) -m 644 $(OUT)/libwireline.a $(DESTDIR)$(LIBDIR)
ifeq ($(TARGET),)
	$(INSTALL) -m 755 $(OUT)/libwireline.so.$(version) $(DESTDIR)$(LIBDIR)
	ln -sf libwireline.so.$(version) $(DESTDIR)$(LIBDIR)/libwireline.so.$(abi)
	ln -sf libwireline.so.$(abi) $(DESTDIR)$(LIBDIR)/libwireline.so
	$(fill) $(packaging)/wireline.pc.in >$(DESTDIR)$(pkgconfigdir)/wireline.pc
endif
	$(fill) $(packaging)/wireline-static.pc.in >$(DESTDIR)$(pkgconfigdir)/wireline-static.pc
	$(fill) $(packaging)/cmake/wireline-config.cmake.in >$(DESTDIR)$(cmakedir)/wireline-config.cmake
	$(fill) $(packaging)/cmake/wireline-config-version.cmake.in >$(DESTDIR)$(cmakedir)/wireline-config-version.cmake
	$(INSTALL) -m 644 $(root)/LICENSE-MIT $(root)/LICENSE-APACHE $(DESTDIR)$(DOCDIR)

uninstall:
	rm -f $(DESTDIR)$(INCLUDEDIR)/wireline.h $(DESTDIR)$(INCLUDEDIR)/wireline.hpp \
		$(DESTDIR)$(LIBDIR)/libwireline.a $(DESTDIR)$(LIBDIR)/libwireline.so $(DESTDIR)$(LIBDIR)/libwireline.so.$(abi) \
		$(DESTDIR)$(LIBDIR)/libwireline.so.$(version) \
		$(DESTDIR)$(pkgconfigdir)/wireline.pc $(DESTDIR)$(pkgconfigdir)/wireline-static.pc
	rm -rf $(DESTDIR)$(cmakedir) $(DESTDIR)$(DOCDIR)

# Several targets may be put into one folder, one after the other.
install-esp-idf install-zephyr install-platformio: install-%: $(ready)
	@test -n "$(DIR)" && test -n "$(TARGET)" || { echo "make $@ DIR=… TARGET=…" >&2; exit 2; }
	$(INSTALL) -d $(DIR)/include $(DIR)/lib/$(TARGET)
	cp -R $(packaging)/$*/. $(DIR)
	$(INSTALL) -m 644 $(root)/ffi-c/include/wireline.h $(root)/ffi-c/include/wireline.hpp $(DIR)/include
	$(INSTALL) -m 644 $(OUT)/libwireline.a $(DIR)/lib/$(TARGET)
	$(if $(filter platformio,$*),$(fill) $(packaging)/platformio/library.json >$(DIR)/library.json)

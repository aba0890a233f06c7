/** Applications in a servlet container. */
package io.jvmtools.tomcat;
